#include "actions/common/quota_judge.h"

#include <algorithm>
#include <numeric>

namespace batholith {
namespace {

constexpr std::size_t kMaxNodes = 100;

QuotaVictimFilter FilterOf(const Snapshot& snapshot, TaskIndex preemptor, VictimKind kind,
                           bool own_queue_only) {
  const bool any_queue = kind != VictimKind::kReclaim && !own_queue_only;
  return {.kind = kind,
          .queue = any_queue ? QueueIndex() : snapshot.job(snapshot.task(preemptor).job).queue,
          .own_queue_only = own_queue_only,
          .best_effort = snapshot.task(preemptor).best_effort};
}

}  // namespace

bool QuotaVictimFilter::Passes(const Session& session, TaskIndex victim) const {
  const Snapshot& snapshot = session.snapshot();
  const TaskStatus status = session.state().status(victim);
  const bool bound = status == TaskStatus::kBound && kind != VictimKind::kReclaim;
  if (status != TaskStatus::kRunning && !bound) return false;
  const TaskFacts& facts = snapshot.task(victim);
  if (facts.job.is_none() || !facts.preemptable) return false;
  // On a node that is not there any more: nothing comes free where it was.
  if (session.state().node(victim).is_none()) return false;
  if (best_effort && !facts.best_effort) return false;
  const QueueIndex of = snapshot.job(facts.job).queue;
  if (of.is_none() || of == queue) return !of.is_none();
  return !own_queue_only && (kind != VictimKind::kReclaim || snapshot.queue(of).reclaimable);
}

QuotaJudge::QuotaJudge(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind,
                       bool own_queue_only)
    : VictimJudge(session, statement, preemptor, kind),
      quota_(*session.chains().QuotaOf(preemptor)),
      limits_(quota_.PlanLimits(preemptor)),
      filter_(FilterOf(session.snapshot(), preemptor, kind, own_queue_only)),
      held_(quota_.Held(preemptor)) {
  if (!has_units()) return;
  const std::span<const TaskIndex> sharing = quota_.SharingQuotas(preemptor);
  sharing_.assign(sharing.begin(), sharing.end());
  std::ranges::sort(sharing_);
}

// Who falls with a task of the quotas is taken only where it is one of them as well.
bool QuotaJudge::MayTake(TaskIndex t) const {
  if (snapshot_.task(t).job == job_ || !filter_.Passes(session_, t)) return false;
  return !InUnit(t) || std::ranges::binary_search(sharing_, t);
}

bool QuotaJudge::Gives(TaskIndex t, bool quota_short, const ResourceVector* room) const {
  const auto helps = [&](const ResourceVector& given) {
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (request_[r] <= 0 || given[r] <= 0) continue;
      if (quota_short || (room != nullptr && request_[r] > (*room)[r])) return true;
    }
    return false;
  };
  const VictimUnit* unit = UnitOf(t);
  if (unit == nullptr) return helps(snapshot_.task(t).request);
  return std::ranges::any_of(unit->parts, [&](const auto& p) { return helps(p.second.request); });
}

bool QuotaJudge::MinimumsAreSpared() const {
  return kind_ == VictimKind::kReclaim ? session_.chains().ReclaimSparesMinimums()
                                       : session_.chains().PreemptSparesMinimums();
}

std::size_t QuotaJudge::NodesOf(const std::vector<TaskIndex>& victims) const {
  std::vector<NodeIndex> nodes;
  for (const TaskIndex t : victims) nodes.push_back(snapshot_.task(t).node);
  std::ranges::sort(nodes);
  return static_cast<std::size_t>(std::ranges::unique(nodes).begin() - nodes.begin());
}

std::vector<NodeIndex> QuotaJudge::BestScored(std::vector<NodeIndex> nodes) const {
  if (nodes.size() <= kMaxNodes) return nodes;
  std::vector<double> scores(nodes.size(), 0);
  session_.chains().Score(preemptor_, nodes, scores);
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::partial_sort(order, order.begin() + kMaxNodes, [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  std::vector<NodeIndex> best;
  for (std::size_t i = 0; i < kMaxNodes; ++i) best.push_back(nodes[order[i]]);
  return best;
}

QuotaPlanRank QuotaJudge::RankOf(const QuotaPlan& plan) const {
  QuotaPlanRank rank{.violating = plan.violating,
                     .top_priority = INT32_MIN,
                     .victims = plan.victims.size(),
                     .touched_nodes = plan.touched_nodes,
                     .node = snapshot_.node(plan.node).record->meta.name};
  for (const TaskIndex t : plan.victims) {
    const std::int32_t priority = QuotaPriorityOf(*snapshot_.task(t).record);
    rank.top_priority = std::max(rank.top_priority, priority);
    rank.priorities += priority;
  }
  TimeNs start = INT64_MAX;
  for (const TaskIndex t : plan.victims) {
    const PodRecord& pod = *snapshot_.task(t).record;
    if (QuotaPriorityOf(pod) == rank.top_priority) start = std::min(start, QuotaStartOf(pod));
  }
  rank.start = StartRank(start);
  return rank;
}

}  // namespace batholith
