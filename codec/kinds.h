#pragma once

#include "codec/field.h"

namespace batholith {

// One function for each kind that is read; codec/<kind>.cc. Errors: FieldError.
NodeRecord ReadNode(const Field& object);
QueueRecord ReadQueue(const Field& object);
PodGroupRecord ReadPodGroup(const Field& object);
ResourceQuotaRecord ReadResourceQuota(const Field& object);
PriorityClassRecord ReadPriorityClass(const Field& object);
PodDisruptionBudgetRecord ReadDisruptionBudget(const Field& object);

inline constexpr Choices<TaintEffect, 3> kTaintEffects{
    {{"NoSchedule", TaintEffect::kNoSchedule},
     {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
     {"NoExecute", TaintEffect::kNoExecute}}};
bool ReadPreemptionNever(const Field& policy);  // of a pod or a class

}  // namespace batholith
