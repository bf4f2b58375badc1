#include "api/resource_quota.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

constexpr std::string_view kRequests = "requests.";

// Amount × (scale of `to` ÷ scale of `from`): a quota counts requests.memory in thousandths,
// memory in bytes.
std::int64_t Rescale(std::int64_t amount, std::string_view from, std::string_view to) {
  const std::int64_t multiply = ResourceScale(to);
  const std::int64_t divide = ResourceScale(from);
  if (multiply == divide) return amount;
  const __int128_t scaled = static_cast<__int128_t>(amount) * multiply / divide;
  return static_cast<std::int64_t>(std::clamp<__int128_t>(scaled, INT64_MIN, INT64_MAX));
}

}  // namespace

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
