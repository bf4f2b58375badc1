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
TaintEffect ReadTaintEffect(const Field& field);

}  // namespace batholith
