#pragma once

#include "codec/field.h"

namespace batholith {

NodeRecord ReadNode(const Field& object);
QueueRecord ReadQueue(const Field& object);
PodGroupRecord ReadPodGroup(const Field& object);
ResourceQuotaRecord ReadResourceQuota(const Field& object);
PriorityClassRecord ReadPriorityClass(const Field& object);
PodDisruptionBudgetRecord ReadDisruptionBudget(const Field& object);
std::vector<SubGroupPolicy> ReadSubGroupPolicies(const Field& list);

}  // namespace batholith
