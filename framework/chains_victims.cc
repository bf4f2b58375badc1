#include <algorithm>

#include "framework/chains.h"
#include "framework/combine.h"
#include "framework/combine_victims.h"

namespace batholith {
namespace {

template <typename PointClass, typename Ask>
std::int32_t FewestOf(const Chain<PointClass>& chain, Ask ask) {
  std::int32_t fewest = INT32_MAX;
  for (const Link<PointClass>& link : chain) fewest = std::min(fewest, ask(*link.plugin));
  return fewest;
}

// Whoever answers, and not with all of them.
template <typename PointClass, typename Ask>
std::vector<std::string_view> WhoSpares(const Chain<PointClass>& chain, std::size_t candidates,
                                        Ask ask) {
  std::vector<std::string_view> names;
  for (const Link<PointClass>& link : chain) {
    const Victims answer = ask(*link.plugin);
    if (answer && answer->size() < candidates) names.push_back(link.name);
  }
  return names;
}

}  // namespace

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

std::vector<std::string_view> Chains::WhoSparesFromPreempt(
    TaskIndex preemptor, std::span<const TaskIndex> candidates) const {
  return WhoSpares(preemptable_, candidates.size(),
                   [&](const Preemptable& p) { return p.PreemptVictims(preemptor, candidates); });
}

std::vector<std::string_view> Chains::WhoSparesFromReclaim(
    TaskIndex preemptor, std::span<const TaskIndex> candidates) const {
  return WhoSpares(reclaimable_, candidates.size(),
                   [&](const Reclaimable& p) { return p.ReclaimVictims(preemptor, candidates); });
}

std::int32_t Chains::MostToPreempt(JobIndex job) const {
  return FewestOf(preemptable_, [&](const Preemptable& p) { return p.MostOf(job); });
}

std::int32_t Chains::MostToReclaim(JobIndex job) const {
  return FewestOf(reclaimable_, [&](const Reclaimable& p) { return p.MostOf(job); });
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
