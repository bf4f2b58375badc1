#include <algorithm>
#include <iterator>

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

// Whoever answers, and not with all of them. Not the owner of quotas: whom these let fall depends
// on the quotas of both, and they are told elsewhere.
template <typename PointClass, typename Ask>
std::vector<std::string_view> WhoSpares(const Chain<PointClass>& chain, std::size_t candidates,
                                        Ask ask) {
  std::vector<std::string_view> names;
  for (const Link<PointClass>& link : chain) {
    if (dynamic_cast<const QuotaOwner*>(link.plugin) != nullptr) continue;
    const Victims answer = ask(*link.plugin);
    if (answer && answer->size() < candidates) names.push_back(link.name);
  }
  return names;
}

}  // namespace

// Who keeps minimums has no say about a job of one pod when its quota has to give it back: nothing
// of the job is left that would be too small, and else such quotas could lend but never take back.
bool Chains::IsSurplusForQuotas(TaskIndex preemptor, JobIndex job) const {
  if (job.is_none() || snapshot_.job(job).min_available > 1 || QuotaOf(preemptor) == nullptr)
    return false;
  const std::vector<TaskIndex>& tasks = snapshot_.job(job).tasks;
  return tasks.size() == 1 && QuotaOf(tasks.front()) != nullptr;
}

// The answer of one plugin, whose question `ask` puts about those that are no such surplus.
template <typename PointClass, typename Ask>
Victims Chains::WithSurplus(const PointClass& plugin, TaskIndex preemptor,
                            std::span<const TaskIndex> candidates, Ask ask) const {
  if (!plugin.SparesMinimums() || QuotaOf(preemptor) == nullptr) return ask(candidates);
  const auto surplus = [&](TaskIndex t) {
    return IsSurplusForQuotas(preemptor, snapshot_.task(t).job);
  };
  std::vector<TaskIndex> judged;
  std::ranges::remove_copy_if(candidates, std::back_inserter(judged), surplus);
  const Victims answer = ask(std::span<const TaskIndex>(judged));
  if (!answer) return answer;
  std::vector<TaskIndex> out;
  auto next = answer->begin();
  for (const TaskIndex t : candidates) {
    const bool named = next != answer->end() && *next == t;
    if (named) ++next;
    if (named || surplus(t)) out.push_back(t);
  }
  return out;
}

Victims Chains::AnswerOf(const Preemptable& plugin, TaskIndex preemptor,
                         std::span<const TaskIndex> candidates) const {
  return WithSurplus(plugin, preemptor, candidates, [&](std::span<const TaskIndex> judged) {
    return plugin.PreemptVictims(preemptor, judged);
  });
}

Victims Chains::AnswerOf(const Reclaimable& plugin, TaskIndex preemptor,
                         std::span<const TaskIndex> candidates) const {
  return WithSurplus(plugin, preemptor, candidates, [&](std::span<const TaskIndex> judged) {
    return plugin.ReclaimVictims(preemptor, judged);
  });
}

std::vector<TaskIndex> Chains::PreemptVictims(TaskIndex preemptor,
                                              std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      preemptable_, candidates, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p, std::span<const TaskIndex> c) {
        return AnswerOf(p, preemptor, c);
      });
}

std::vector<TaskIndex> Chains::ReclaimVictims(TaskIndex preemptor,
                                              std::span<const TaskIndex> candidates) const {
  return GuardsAndRankers(
      reclaimable_, candidates, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p, std::span<const TaskIndex> c) {
        return AnswerOf(p, preemptor, c);
      });
}

bool Chains::PreemptSpares(JobIndex job) const {
  return AnySpares(
      preemptable_, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p) { return p.PreemptSpares(job); });
}

bool Chains::ReclaimSpares(JobIndex job) const {
  return AnySpares(
      reclaimable_, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p) { return p.ReclaimSpares(job); });
}

bool Chains::PreemptSpares(TaskIndex preemptor, JobIndex job) const {
  const bool surplus = IsSurplusForQuotas(preemptor, job);
  return AnySpares(
      preemptable_, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p) {
        return !(surplus && p.SparesMinimums()) &&
               (p.PreemptSpares(job) || p.PreemptSparesFrom(preemptor, job));
      });
}

bool Chains::ReclaimSpares(TaskIndex preemptor, JobIndex job) const {
  const bool surplus = IsSurplusForQuotas(preemptor, job);
  return AnySpares(
      reclaimable_, [](const Reclaimable& p) { return p.ReclaimRole(); },
      [&](const Reclaimable& p) {
        return !(surplus && p.SparesMinimums()) && p.ReclaimSpares(job);
      });
}

bool Chains::PreemptSparesFrom(TaskIndex preemptor, JobIndex job) const {
  return AnySpares(
      preemptable_, [](const Preemptable& p) { return p.PreemptRole(); },
      [&](const Preemptable& p) { return p.PreemptSparesFrom(preemptor, job); });
}

std::vector<std::string_view> Chains::WhoSparesFromPreempt(
    TaskIndex preemptor, std::span<const TaskIndex> candidates) const {
  return WhoSpares(preemptable_, candidates.size(),
                   [&](const Preemptable& p) { return AnswerOf(p, preemptor, candidates); });
}

std::vector<std::string_view> Chains::WhoSparesFromReclaim(
    TaskIndex preemptor, std::span<const TaskIndex> candidates) const {
  return WhoSpares(reclaimable_, candidates.size(),
                   [&](const Reclaimable& p) { return AnswerOf(p, preemptor, candidates); });
}

std::int32_t Chains::MostToPreempt(TaskIndex preemptor, JobIndex job) const {
  const bool surplus = IsSurplusForQuotas(preemptor, job);
  return FewestOf(preemptable_, [&](const Preemptable& p) {
    return surplus && p.SparesMinimums() ? INT32_MAX : p.MostOf(job);
  });
}

std::int32_t Chains::MostToReclaim(TaskIndex preemptor, JobIndex job) const {
  const bool surplus = IsSurplusForQuotas(preemptor, job);
  return FewestOf(reclaimable_, [&](const Reclaimable& p) {
    return surplus && p.SparesMinimums() ? INT32_MAX : p.MostOf(job);
  });
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
