#include "codec/kinds.h"
#include "codec/selector.h"

namespace batholith {
namespace {

constexpr Choices<QuotaScope::Op, 4> kScopeOperators{
    {{"In", QuotaScope::Op::kIn},
     {"NotIn", QuotaScope::Op::kNotIn},
     {"Exists", QuotaScope::Op::kExists},
     {"DoesNotExist", QuotaScope::Op::kDoesNotExist}}};

}  // namespace

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
  for (const std::string& scope : object["spec"]["scopes"].Texts())
    quota.scopes.push_back({scope, QuotaScope::Op::kExists, {}});
  for (const Field& scope : object["spec"]["scopeSelector"]["matchExpressions"].Items()) {
    quota.scopes.push_back({scope["scopeName"].Text(), scope["operator"].OneOf(kScopeOperators),
                            scope["values"].Texts()});
  }
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
