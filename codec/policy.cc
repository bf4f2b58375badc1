#include <algorithm>
#include <array>

#include "api/did_you_mean.h"
#include "api/quantity.h"
#include "codec/kinds.h"
#include "codec/selector.h"

namespace batholith {
namespace {

constexpr Choices<QuotaScope::Op, 4> kScopeOperators{
    {{"In", QuotaScope::Op::kIn},
     {"NotIn", QuotaScope::Op::kNotIn},
     {"Exists", QuotaScope::Op::kExists},
     {"DoesNotExist", QuotaScope::Op::kDoesNotExist}}};

constexpr std::string_view kWeight = "volcano.sh/namespace.weight";

// What to say of an entry that is a weight, or that was meant to be one.
std::vector<std::string> DoubtsOfWeight(const std::string& name, const Field& amount) {
  if (!amount.present()) return {};
  if (name != kWeight) {
    const bool alike = name.contains("namespace") || name.contains("weight");
    const std::string hint = alike ? DidYouMean(name, std::array{kWeight}) : "";
    if (hint.empty()) return {};
    return {Printable(amount.path()) + ": counts nothing" + hint};
  }
  const std::string text = Field::Glance(*amount.value()).TextOrNumber();
  const Result<std::int64_t> weight = ParseQuantityCutOff(text, ResourceScale(kWeight));
  if (weight && *weight >= ResourceScale(kWeight) && *weight % ResourceScale(kWeight) == 0)
    return {};
  const std::int64_t counts =
      weight ? std::max<std::int64_t>(*weight / ResourceScale(kWeight), 1) : 1;
  return {Printable(amount.path()) + ": \"" + Printable(text) +
          "\" is not a whole number from 1 on: the namespace counts with " +
          std::to_string(counts)};
}

}  // namespace

bool ReadPreemptionNever(const Field& policy) {
  static constexpr Choices<bool, 2> kPolicies{{{"Never", true}, {"PreemptLowerPriority", false}}};
  // One that is not known preempts nobody.
  return !policy.Text().empty() && policy.OneOf(kPolicies).value_or(true);
}

ResourceQuotaRecord ReadResourceQuota(const Field& object, std::vector<std::string>& warnings) {
  ResourceQuotaRecord quota;
  quota.meta = ReadMeta(object);
  // A negative weight is legal and loses against 1.
  quota.hard = object["spec"]["hard"].Resources(kWeight);
  for (const auto& [name, amount] : object["spec"]["hard"].Entries()) {
    // What cannot be read leaves nothing.
    if (amount.present()) quota.hard.try_emplace(name, 0);
    for (const std::string& doubt : DoubtsOfWeight(name, amount))
      warnings.push_back("ResourceQuota " + Printable(quota.meta.Key()) + ": " + doubt);
  }
  quota.status_hard = object["status"]["hard"].Resources(kWeight);
  quota.used = object["status"]["used"].Resources(kWeight);
  for (const std::string& scope : object["spec"]["scopes"].Texts())
    quota.scopes.push_back({scope, QuotaScope::Op::kExists, {}});
  for (const Field& scope : object["spec"]["scopeSelector"]["matchExpressions"].Items()) {
    const std::size_t flaws = scope.flaw_count();
    QuotaScope read{scope["scopeName"].Text(),
                    scope["operator"].OneOf(kScopeOperators).value_or(QuotaScope::Op::kExists),
                    scope["values"].Texts()};
    // A scope that is not understood narrows nothing.
    if (scope.flaw_count() == flaws) quota.scopes.push_back(std::move(read));
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
  // One that cannot be read protects whatever it may select, which without a selector is all.
  if (object.flaw_count() != 0) out.selector.reset();
  out.disruptions_allowed = object["status"]["disruptionsAllowed"].Int32(0);
  for (const auto& [pod, when] : object["status"]["disruptedPods"].Entries())
    out.disrupted_pods.push_back(pod);
  if (object.flaw_count() != 0) {
    out.disruptions_allowed = 0;
    out.disrupted_pods.clear();
  }
  return out;
}

}  // namespace batholith
