#include "framework/chains.h"
#include "framework/combine.h"
#include "framework/combine_victims.h"

namespace batholith {

std::vector<TaskIndex> Chains::PreemptVictims(TaskIndex preemptor,
                                              std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      preemptable_, candidates, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p, std::span<const TaskIndex> c) {
        return p.PreemptVictims(preemptor, c);
      });
}

std::vector<TaskIndex> Chains::ReclaimVictims(TaskIndex preemptor,
                                              std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      reclaimable_, candidates, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p, std::span<const TaskIndex> c) {
        return p.ReclaimVictims(preemptor, c);
      });
}

bool Chains::PreemptSpares(TaskIndex preemptor, JobIndex job) const {
  return AnySpares(
      preemptable_, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p) { return p.PreemptSpares(preemptor, job); });
}

bool Chains::ReclaimSpares(TaskIndex preemptor, JobIndex job) const {
  return AnySpares(
      reclaimable_, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p) { return p.ReclaimSpares(preemptor, job); });
}

bool Chains::PreemptSparesMinimums() const {
  return AnyAgrees(preemptable_, [](const Preemptable& p) { return p.SparesMinimums(); });
}

bool Chains::ReclaimSparesMinimums() const {
  return AnyAgrees(reclaimable_, [](const Reclaimable& p) { return p.SparesMinimums(); });
}

std::vector<TaskIndex> Chains::ShuffleVictims() const {
  return UnionOfFirstTier(victim_tasks_, [](const VictimTasks& p) { return p.ShuffleVictims(); });
}

const QuotaOwner* Chains::QuotaOf(TaskIndex task) const {
  return quotas_ != nullptr && quotas_->HasQuota(task) ? quotas_ : nullptr;
}

}  // namespace batholith
