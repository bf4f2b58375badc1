#include "framework/chains.h"
#include "framework/combine_victims.h"

namespace batholith {

std::vector<TaskIndex> Chains::PreemptVictims(TaskIndex asker,
                                              std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      preemptable_, candidates, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p, std::span<const TaskIndex> c) {
        return p.PreemptVictims(asker, c);
      });
}

std::vector<TaskIndex> Chains::ReclaimVictims(TaskIndex asker,
                                              std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      reclaimable_, candidates, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p, std::span<const TaskIndex> c) {
        return p.ReclaimVictims(asker, c);
      });
}

bool Chains::PreemptSpares(TaskIndex asker, JobIndex job) const {
  return AnySpares(
      preemptable_, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p) { return p.PreemptSpares(asker, job); });
}

bool Chains::ReclaimSpares(TaskIndex asker, JobIndex job) const {
  return AnySpares(
      reclaimable_, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p) { return p.ReclaimSpares(asker, job); });
}

std::vector<TaskIndex> Chains::ShuffleVictims() const {
  return UnionOfFirstTier(victim_tasks_, [](const VictimTasks& p) { return p.ShuffleVictims(); });
}

const QuotaVictims* Chains::QuotaOf(TaskIndex asker) const {
  if (quota_victims_.empty()) return nullptr;
  const QuotaVictims* owner = quota_victims_.front().plugin;
  return owner->HasQuota(asker) ? owner : nullptr;
}

std::vector<Revocation::Revoked> Chains::Revocations() {
  std::vector<Revocation::Revoked> out;
  for (const auto& [tier, plugin] : revocation_) {
    const std::vector<Revocation::Revoked> more = plugin->Revoke();
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

void Chains::ReportQuotas(bool with_pods, CycleResult& result) const {
  for (const auto& [tier, plugin] : quota_report_) plugin->ReportQuotas(with_pods, result);
}

}  // namespace batholith
