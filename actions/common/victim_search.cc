#include "actions/common/victim_search.h"

#include <algorithm>
#include <set>

#include "actions/common/job_queue.h"
#include "actions/common/quota_plan.h"

namespace batholith {

// The search of one preemptor. Preempt walks through the victims: a plan's last victim is where the
// walk first sees room on its node, or later; so once the walk is past the last victim of the best
// plan, only a plan of lower priority or of fewer victims could still be better. Reclaim, whose
// equal plans are told apart by their nodes, goes through the nodes in their order.
class VictimSearch::Hunt {
 public:
  Hunt(VictimSearch& search, VictimTrial& trial, TaskIndex preemptor, VictimKind kind)
      : session_(search.session_),
        snapshot_(session_.snapshot()),
        order_(search.order_),
        seen_(search.seen_),
        trial_(trial),
        preemptor_(preemptor),
        kind_(kind),
        job_(snapshot_.task(preemptor).job),
        request_(snapshot_.task(preemptor).request),
        guarded_(!session_.slack_guard().MayUse(preemptor)) {
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (request_[r] > 0) wanted_.push_back(r);
    }
    ++seen_.preemptor;
    seen_.nodes.resize(snapshot_.nodes.size());
    seen_.jobs.resize(snapshot_.jobs.size());
    if (seen_.room.size() < wanted_.size() * snapshot_.nodes.size())
      seen_.room.resize(wanted_.size() * snapshot_.nodes.size());
  }

  std::optional<VictimPlan> Run() {
    order_.Refresh();
    if (kind_ == VictimKind::kPreemptWithin) {
      for (const VictimOrder::Victim& victim : order_.VictimsOf(job_)) Visit(victim);
      return std::move(best_);
    }
    if (kind_ == VictimKind::kReclaim) return RunByNodes();
    VictimWalk walk(order_, snapshot_.job(job_).queue);
    while (const VictimOrder::Victim* victim = walk.Next()) {
      if (victim->job == job_ || Spared(victim->job)) continue;
      least_left_ = walk.LeastPriorityLeft();
      if (best_ && IsSettled(victim->task)) return std::move(best_);
      Visit(*victim);
    }
    return std::move(best_);
  }

 private:
  // What is there for the preemptor before anybody falls.
  std::int64_t RoomIn(NodeIndex node, std::size_t r) const {
    const std::int64_t room = session_.state().future_idle(node)[r];
    return guarded_ ? ResourceVector::SubSaturating(room, session_.slack_guard().Held(node)[r])
                    : room;
  }

  bool Spared(JobIndex job) {
    Seen::Job& seen = seen_.jobs[job.value()];
    if (seen.preemptor != seen_.preemptor)
      seen = {seen_.preemptor, session_.chains().PreemptSpares(job) ||
                                   session_.chains().PreemptSparesFrom(preemptor_, job)};
    return seen.spared;
  }

  std::optional<VictimPlan> RunByNodes() {
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      const NodeIndex node(n);
      if (best_ && AtLeast(node) >= std::ssize(best_->victims)) continue;
      if (!CouldFit(node)) continue;
      std::optional<VictimPlan> plan = trial_.On(node);
      if (plan && (!best_ || trial_.Better(*plan, *best_))) best_ = std::move(plan);
      if (best_ && best_->victims.size() == 1) break;
    }
    return std::move(best_);
  }

  // Whether the preemptor would fit if everybody on the node who may fall for it did.
  bool CouldFit(NodeIndex node) const {
    return std::ranges::all_of(wanted_, [&](std::size_t r) {
      std::int64_t room = RoomIn(node, r);
      for (const TaskIndex t : session_.state().tasks_on(node)) {
        if (room >= request_[r]) return true;
        if (trial_.Eligible(t) && !session_.chains().ReclaimSpares(snapshot_.task(t).job))
          room = ResourceVector::AddSaturating(room, snapshot_.task(t).request[r]);
      }
      return room >= request_[r];
    });
  }

  // Whether no plan that ends at this victim or later can be better than the best one.
  bool IsSettled(TaskIndex victim) {
    if (!past_best_)
      past_best_ = !session_.chains().VictimFallsBefore(victim, best_->victims.back(), preemptor_);
    if (!past_best_) return false;
    if (least_left_ != best_->top_priority) return least_left_ > best_->top_priority;
    return !FewerPossible();
  }

  // How many victims the node needs at least.
  std::int64_t AtLeast(NodeIndex node) {
    std::int64_t most = 1;
    for (const std::size_t r : wanted_) {
      const std::int64_t lack = ResourceVector::SubSaturating(request_[r], RoomIn(node, r));
      if (lack <= 0) continue;
      const std::int64_t largest = order_.LargestOn(node, r);
      if (largest <= 0) return INT64_MAX;
      most = std::max(most, lack / largest + (lack % largest > 0 ? 1 : 0));
    }
    return most;
  }

  bool Tried(NodeIndex node) const {
    const Seen::Node& seen = seen_.nodes[node.value()];
    return seen.preemptor == seen_.preemptor && seen.tried;
  }

  // Whether a node that was not tried might do with fewer victims than the best plan.
  bool FewerPossible() {
    const std::int64_t size = std::ssize(best_->victims);
    if (size == 1) return false;
    if (counted_for_ != size) {
      counted_for_ = size;
      fewer_ = 0;
      for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
        if (!Tried(NodeIndex(n)) && AtLeast(NodeIndex(n)) < size) ++fewer_;
      }
    }
    return fewer_ > 0;
  }

  // Whether a plan that ends here or later, on this node, can still be better than the best one.
  bool MayBeBetter(NodeIndex node) {
    if (!best_) return true;
    if (least_left_ < best_->top_priority) return true;
    const std::int64_t size = std::ssize(best_->victims);
    return past_best_ ? AtLeast(node) < size : AtLeast(node) <= size;
  }

  void Visit(const VictimOrder::Victim& victim) {
    if (!trial_.CanFall(victim.task)) return;
    Seen::Node& node = seen_.nodes[victim.node.value()];
    std::int64_t* room = &seen_.room[victim.node.value() * wanted_.size()];
    if (node.preemptor != seen_.preemptor) {
      node = {seen_.preemptor, false};
      for (std::size_t i = 0; i < wanted_.size(); ++i) room[i] = RoomIn(victim.node, wanted_[i]);
    }
    if (node.tried) return;
    bool enough = true;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      room[i] = ResourceVector::AddSaturating(room[i], (*victim.request)[wanted_[i]]);
      enough = enough && request_[wanted_[i]] <= room[i];
    }
    if (!enough) return;
    if (counted_for_ > 0 && AtLeast(victim.node) < counted_for_) --fewer_;
    node.tried = true;
    if (!MayBeBetter(victim.node)) return;
    std::optional<VictimPlan> plan = trial_.On(victim.node);
    if (!plan || (best_ && !trial_.Better(*plan, *best_))) return;
    best_ = std::move(plan);
    past_best_ = false;
  }

  Session& session_;
  const Snapshot& snapshot_;
  VictimOrder& order_;
  Seen& seen_;
  VictimTrial& trial_;
  TaskIndex preemptor_;
  VictimKind kind_;
  JobIndex job_;
  const ResourceVector& request_;
  const bool guarded_;               // what placeholders hold is no room for it
  std::vector<std::size_t> wanted_;  // resources that it asks for
  std::optional<VictimPlan> best_;
  bool past_best_ = false;               // the walk is past the last victim of the best plan
  std::int32_t least_left_ = INT32_MIN;  // no job from here on has a lower priority
  std::int64_t counted_for_ = 0;         // the number of victims for which fewer_ was counted
  std::int64_t fewer_ = 0;               // nodes not tried that might do with fewer
};

VictimSearch::VictimSearch(Session& session)
    : session_(session), free_(session, NodeChooser::Fit::kFuture), order_(session) {}

bool VictimSearch::Place(Statement& statement, TaskIndex preemptor, VictimKind kind,
                         bool own_queue_only) {
  if (session_.snapshot().task(preemptor).unserved) return false;
  VictimTrial trial(session_, statement, preemptor, kind, &questions_);
  if (!own_queue_only && trial.QueueAdmits()) {
    const NodeChoice free = free_.Best(preemptor);
    if (!free.node.is_none()) {
      statement.Pipeline(preemptor, free.node);
      return true;
    }
  }
  if (kind != VictimKind::kPreemptWithin && session_.chains().QuotaOf(preemptor) != nullptr) {
    const bool placed = PlaceWithQuotaVictims(session_, statement, preemptor, kind, own_queue_only);
    if (!placed) TellWhoSpares(trial, preemptor, kind);
    return placed;
  }
  const std::optional<VictimPlan> plan = Hunt(*this, trial, preemptor, kind).Run();
  if (!plan) {
    TellWhoSpares(trial, preemptor, kind);
    return false;
  }
  const JobIndex job = session_.snapshot().task(preemptor).job;
  for (const TaskIndex t : plan->victims) statement.Evict(t, job, session_.action());
  statement.Pipeline(preemptor, plan->node);
  return true;
}

// Of the first to fall: those that would not do leave nothing to tell.
void VictimSearch::TellWhoSpares(const VictimTrial& trial, TaskIndex preemptor, VictimKind kind) {
  const Snapshot& snapshot = session_.snapshot();
  const JobIndex job = snapshot.task(preemptor).job;
  std::vector<TaskIndex> first;
  if (kind == VictimKind::kPreemptJobs) {
    order_.Refresh();
    VictimWalk walk(order_, snapshot.job(job).queue);
    while (const VictimOrder::Victim* victim = walk.Next()) {
      if (victim->job == job || !trial.CanFall(victim->task)) continue;
      first.push_back(victim->task);
      break;
    }
  }
  for (std::size_t n = 0; kind == VictimKind::kReclaim && n < snapshot.nodes.size(); ++n) {
    for (const TaskIndex t : session_.state().tasks_on(NodeIndex(n))) {
      if (trial.Eligible(t)) first.push_back(t);
    }
    if (first.empty()) continue;
    std::ranges::sort(first, [&](TaskIndex a, TaskIndex b) {
      return session_.chains().VictimFallsBefore(a, b, preemptor);
    });
    break;
  }
  if (first.empty() && kind == VictimKind::kReclaim) {
    std::vector<QueueIndex> queues = trial.QueuesThatKeep();
    if (!queues.empty())
      session_.attempts().RecordSpared(job,
                                       {.action = session_.action(), .queues = std::move(queues)});
  }
  if (first.empty()) return;
  std::vector<std::string_view> plugins = trial.WhoSpares(first);
  if (!plugins.empty())
    session_.attempts().RecordSpared(job,
                                     {.action = session_.action(), .plugins = std::move(plugins)});
}

void VictimSearch::PlaceStarving(Statement& statement, JobIndex job, VictimKind kind,
                                 bool own_queue_only) {
  const QueueIndex queue = session_.snapshot().job(job).queue;
  std::set<ClassIndex> failed;
  std::optional<ResourceVector> held;  // by the job's quota, before anybody is evicted
  for (const TaskIndex task : AllPendingTasks(session_, job)) {
    const QuotaOwner* quota = session_.chains().QuotaOf(task);
    const bool owed = kind == VictimKind::kReclaim && IsOwed(session_, task);
    if (!owed && !session_.chains().JobStarving(job)) {
      if (quota == nullptr) return;
      continue;
    }
    if (session_.snapshot().task(task).record->preemption_never) continue;
    if (failed.contains(session_.classes().Of(task))) continue;
    const bool own_only = own_queue_only || (kind == VictimKind::kReclaim &&
                                             !session_.chains().MayReclaim(queue, task));
    // Only quotas take from tasks of the preemptor's own queue.
    if (own_only && quota == nullptr) continue;
    if (quota != nullptr) {
      if (!held) held = quota->Held(task);
      // What evictions for one member leave free is not for the others to go beyond what is fair.
      if (!quota->KeepsFair(task, *held) && !statement.evicted().empty()) continue;
    }
    if (!Place(statement, task, kind, own_only)) failed.insert(session_.classes().Of(task));
  }
}

}  // namespace batholith
