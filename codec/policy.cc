#include "codec/kinds.h"
#include "codec/selector.h"

namespace batholith {

bool ReadPreemptionNever(const Field& policy) {
  static constexpr Choices<bool, 2> kPolicies{{{"Never", true}, {"PreemptLowerPriority", false}}};
  return policy.OneOf(kPolicies, false);
}

ResourceQuotaRecord ReadResourceQuota(const Field& object) {
  ResourceQuotaRecord quota;
  quota.meta = ReadMeta(object);
  // A negative weight is legal and loses against 1.
  constexpr std::string_view kWeight = "volcano.sh/namespace.weight";
  quota.hard = object["spec"]["hard"].Resources(kWeight);
  quota.status_hard = object["status"]["hard"].Resources(kWeight);
  quota.used = object["status"]["used"].Resources(kWeight);
  return quota;
}

PriorityClassRecord ReadPriorityClass(const Field& object) {
  PriorityClassRecord out;
  out.meta = ReadMeta(object);
  out.value = object["value"].Int32(0);
  out.global_default = object["globalDefault"].Bool(false);
  out.preemption_never = ReadPreemptionNever(object["preemptionPolicy"]);
  return out;
}

PodDisruptionBudgetRecord ReadDisruptionBudget(const Field& object) {
  PodDisruptionBudgetRecord out;
  out.meta = ReadMeta(object);
  out.selector = ReadLabelSelector(object["spec"]["selector"]);
  out.disruptions_allowed = object["status"]["disruptionsAllowed"].Int32(0);
  for (const auto& [pod, when] : object["status"]["disruptedPods"].Entries())
    out.disrupted_pods.push_back(pod);
  return out;
}

}  // namespace batholith
