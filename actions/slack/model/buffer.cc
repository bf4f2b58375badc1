#include "actions/slack/model/buffer.h"

#include <algorithm>

#include "api/resource_quota.h"
#include "api/resource_vector.h"

namespace batholith {
namespace {

// What the quota counts for one chunk under the name; 0: it bounds no chunk.
std::int64_t AmountOfChunk(const QuotaChunk& chunk, const std::string& name) {
  if (CountsPods(name)) return ResourceScale(name);
  return AmountUnder(chunk.pod->request, name).value_or(0);
}

std::int64_t AmountIn(const ResourceList& list, const std::string& name) {
  const auto it = list.find(name);
  return it == list.end() ? 0 : it->second;
}

}  // namespace

Result<std::int64_t> BufferSize(const CapacityBufferRecord& buffer,
                                std::optional<std::int64_t> current, const ResourceList& request) {
  const bool sized = buffer.replicas || (buffer.percentage && current);
  std::int64_t size = buffer.replicas.value_or(0);
  if (buffer.percentage && current)
    size = std::max(size, (std::int64_t{*buffer.percentage} * *current + 99) / 100);
  bool limited = false;
  std::int64_t most = INT64_MAX;
  for (const auto& [name, limit] : buffer.limits) {
    const std::int64_t asked = AmountIn(request, name);
    if (asked <= 0) continue;
    limited = true;
    most = std::min(most, std::max<std::int64_t>(limit, 0) / asked);
  }
  if (!buffer.limits.empty() && !limited)
    return Invalid("limits name no resource that a chunk asks for");
  if (!sized && !limited) {
    return Invalid(buffer.percentage
                       ? "percentage is of a scalableRef only, and nothing else is set"
                       : "nothing sizes it: replicas, percentage or limits must be set");
  }
  return sized ? std::min(size, most) : most;
}

QuotaShares::QuotaShares(std::span<const ResourceQuotaRecord> quotas) {
  for (const ResourceQuotaRecord& quota : quotas)
    by_namespace_[quota.meta.namespace_].push_back({&quota, {}});
  // What is told names them in this order.
  for (auto& [namespace_, those] : by_namespace_)
    std::ranges::sort(those, {}, [](const Quota& quota) { return quota.record->meta.name; });
}

QuotaShares::Share QuotaShares::Take(const QuotaChunk& chunk, std::int64_t wanted) {
  Share share{wanted, {}};
  const auto it = by_namespace_.find(chunk.namespace_);
  if (it == by_namespace_.end()) return share;
  for (const Quota& quota : it->second) {
    if (!CountsPod(*quota.record, *chunk.pod, chunk.priority_class)) continue;
    std::int64_t fit = wanted;
    for (const auto& [name, hard] : HardOf(*quota.record)) {
      const std::int64_t asked = AmountOfChunk(chunk, name);
      if (asked <= 0) continue;
      const std::int64_t taken = ResourceVector::AddSaturating(AmountIn(quota.record->used, name),
                                                               AmountIn(quota.given, name));
      const std::int64_t left = ResourceVector::SubSaturating(hard, taken);
      fit = std::min(fit, std::max<std::int64_t>(left, 0) / asked);
    }
    if (fit < wanted) share.limited_by.push_back(quota.record->meta.name);
    share.count = std::min(share.count, fit);
  }
  for (Quota& quota : it->second) {
    // A chunk has no end: it is never Terminating.
    if (!CountsPod(*quota.record, *chunk.pod, chunk.priority_class)) continue;
    ResourceList one;
    for (const auto& [name, hard] : HardOf(*quota.record)) one[name] = AmountOfChunk(chunk, name);
    AddTo(quota.given, Times(one, share.count));
  }
  return share;
}

}  // namespace batholith
