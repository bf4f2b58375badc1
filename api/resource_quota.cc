#include "api/resource_quota.h"

#include <algorithm>
#include <string_view>

#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::string_view kRequests = "requests.";

// Amount × (scale of `to` ÷ scale of `from`): a quota counts requests.memory in thousandths,
// memory in bytes.
std::int64_t Rescale(std::int64_t amount, std::string_view from, std::string_view to) {
  const std::int64_t multiply = ResourceScale(to);
  const std::int64_t divide = ResourceScale(from);
  if (multiply == divide) return amount;
  const Wide scaled = static_cast<Wide>(amount) * multiply / divide;
  return static_cast<std::int64_t>(std::clamp<Wide>(scaled, INT64_MIN, INT64_MAX));
}

bool IsBestEffort(const PodRecord& pod) {
  return std::ranges::all_of(pod.request, [](const auto& entry) { return entry.second == 0; });
}

bool HasPriorityIn(const QuotaScope& scope, const std::string& priority_class) {
  using Op = QuotaScope::Op;
  const bool listed = std::ranges::find(scope.values, priority_class) != scope.values.end();
  switch (scope.op) {
    case Op::kIn:
      return !priority_class.empty() && listed;
    case Op::kNotIn:
      return priority_class.empty() || !listed;
    case Op::kExists:
      return !priority_class.empty();
    case Op::kDoesNotExist:
      return priority_class.empty();
  }
  return false;
}

bool LooksIntoNamespaces(const std::vector<PodAffinityTerm>& terms) {
  return std::ranges::any_of(terms, [](const PodAffinityTerm& term) {
    return !term.namespaces.empty() || term.namespace_selector.has_value();
  });
}

bool LooksIntoNamespaces(const PodConstraints& c) {
  return LooksIntoNamespaces(c.required_affinity) || LooksIntoNamespaces(c.preferred_affinity) ||
         LooksIntoNamespaces(c.required_anti_affinity) ||
         LooksIntoNamespaces(c.preferred_anti_affinity);
}

bool IsInScope(const QuotaScope& scope, const PodRecord& pod, const std::string& priority_class) {
  if (scope.name == "Terminating") return pod.deadline_s >= 0;
  if (scope.name == "NotTerminating") return pod.deadline_s < 0;
  if (scope.name == "BestEffort") return IsBestEffort(pod);
  if (scope.name == "NotBestEffort") return !IsBestEffort(pod);
  if (scope.name == "PriorityClass") return HasPriorityIn(scope, priority_class);
  if (scope.name == "CrossNamespacePodAffinity")
    return pod.constraints != nullptr && LooksIntoNamespaces(*pod.constraints);
  return false;
}

}  // namespace

bool CountsPod(const ResourceQuotaRecord& quota, const PodRecord& pod,
               const std::string& priority_class) {
  return std::ranges::all_of(
      quota.scopes, [&](const QuotaScope& scope) { return IsInScope(scope, pod, priority_class); });
}

const ResourceList& HardOf(const ResourceQuotaRecord& quota) {
  return quota.status_hard.empty() ? quota.hard : quota.status_hard;
}

std::optional<std::int64_t> AmountUnder(const ResourceList& list, const std::string& quota_name) {
  if (const auto it = list.find(quota_name); it != list.end()) return it->second;
  const std::string other = quota_name.starts_with(kRequests) ? quota_name.substr(kRequests.size())
                                                              : std::string(kRequests) + quota_name;
  if (const auto it = list.find(other); it != list.end())
    return Rescale(it->second, other, quota_name);
  return std::nullopt;
}

bool CountsPods(const std::string& quota_name) {
  return quota_name == "pods" || quota_name == "count/pods";
}

}  // namespace batholith
