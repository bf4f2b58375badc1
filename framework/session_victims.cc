#include <algorithm>

#include "framework/session.h"

namespace batholith {
namespace {

// Guards and rankers (extension_points.h). Rankers choose first, then each guard sees only what is
// left, so that a guard's budget is not spent on tasks that another plugin spares.
template <typename Chain, typename Role, typename Ask>
std::vector<TaskIndex> GuardsAndRankers(const Chain& chain, std::span<const TaskIndex> candidates,
                                        Role role, Ask ask) {
  std::vector<TaskIndex> left(candidates.begin(), candidates.end());
  bool anybody = false;
  std::optional<std::size_t> deciding_tier;
  for (const auto& [tier, plugin] : chain) {
    if (role(*plugin) != VictimRole::kRanker) continue;
    if (deciding_tier && *deciding_tier != tier) break;
    if (Victims answer = ask(*plugin, left)) {
      deciding_tier = tier;
      anybody = true;
      left = std::move(*answer);
    }
  }
  for (const auto& [tier, plugin] : chain) {
    if (role(*plugin) != VictimRole::kGuard) continue;
    if (Victims answer = ask(*plugin, left)) {
      anybody = true;
      left = std::move(*answer);
    }
  }
  if (!anybody) left.clear();
  return left;
}

// Every guard is asked, but of the rankers those of later tiers perhaps not.
template <typename Chain, typename Role, typename Spares>
bool AnySpares(const Chain& chain, Role role, Spares spares) {
  std::optional<std::size_t> ranker_tier;
  for (const auto& [tier, plugin] : chain) {
    if (role(*plugin) == VictimRole::kRanker && ranker_tier.value_or(tier) != tier) continue;
    if (role(*plugin) == VictimRole::kRanker) ranker_tier = tier;
    if (spares(*plugin)) return true;
  }
  return false;
}

}  // namespace

std::vector<TaskIndex> Session::PreemptVictims(TaskIndex asker,
                                               std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      preemptable_, candidates, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p, std::span<const TaskIndex> c) {
        return p.PreemptVictims(asker, c);
      });
}

std::vector<TaskIndex> Session::ReclaimVictims(TaskIndex asker,
                                               std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      reclaimable_, candidates, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p, std::span<const TaskIndex> c) {
        return p.ReclaimVictims(asker, c);
      });
}

bool Session::PreemptSpares(TaskIndex asker, JobIndex job) const {
  return AnySpares(
      preemptable_, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p) { return p.PreemptSpares(asker, job); });
}

bool Session::ReclaimSpares(TaskIndex asker, JobIndex job) const {
  return AnySpares(
      reclaimable_, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p) { return p.ReclaimSpares(asker, job); });
}

std::vector<TaskIndex> Session::ShuffleVictims() const {
  std::vector<TaskIndex> out;
  std::size_t tier = 0;
  for (const auto& [t, plugin] : victim_tasks_) {
    if (t != tier && !out.empty()) break;
    tier = t;
    const std::vector<TaskIndex> more = plugin->ShuffleVictims();
    out.insert(out.end(), more.begin(), more.end());
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const QuotaVictims* Session::QuotaOf(TaskIndex asker) const {
  if (quota_victims_.empty()) return nullptr;
  const QuotaVictims* owner = quota_victims_.front().second;
  return owner->HasQuota(asker) ? owner : nullptr;
}

std::vector<Revocation::Revoked> Session::Revocations() {
  std::vector<Revocation::Revoked> out;
  for (const auto& [tier, plugin] : revocation_) {
    const std::vector<Revocation::Revoked> more = plugin->Revoke();
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

}  // namespace batholith
