#include "actions/common/victim_search.h"

#include <algorithm>
#include <optional>
#include <set>

#include "actions/common/job_queue.h"
#include "actions/common/quota_plan.h"

namespace batholith {
namespace {

struct Plan {
  NodeIndex node;
  std::vector<TaskIndex> victims;  // in falling order
  std::int32_t top_priority = INT32_MIN;
};

class Search {
 public:
  Search(Session& session, Statement& statement, TaskIndex asker, VictimKind kind,
         bool own_queue_only)
      : session_(session),
        snapshot_(session.snapshot()),
        statement_(statement),
        asker_(asker),
        kind_(kind),
        own_queue_only_(own_queue_only),
        job_(snapshot_.task(asker).job),
        queue_(snapshot_.job(job_).queue) {}

  bool Run() {
    session_.PreparePredicates(asker_);
    cluster_ = session_.DependenceOf(asker_) == Dependence::kCluster;
    if (!own_queue_only_ && QueueAdmits() && PlaceFree()) return true;
    if (session_.QuotaOf(asker_) != nullptr && kind_ != VictimKind::kPreemptWithin)
      return PlaceWithQuotaVictims(session_, statement_, asker_, kind_, own_queue_only_);
    return PlaceByEviction();
  }

 private:
  const ResourceVector& Request() const { return snapshot_.task(asker_).request; }

  bool QueueAdmits() const { return session_.AdmitsSoon(queue_, asker_).ok(); }

  bool PlaceFree() {
    std::vector<NodeIndex> nodes;
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      const NodeIndex node(n);
      if (Request().FitsIn(session_.state().future_idle(node)) &&
          session_.CheckNode(asker_, node, nullptr).ok()) {
        nodes.push_back(node);
      }
    }
    if (nodes.empty()) return false;
    std::vector<double> scores(nodes.size(), 0);
    session_.Score(asker_, nodes, scores);
    const auto best = std::ranges::max_element(scores);
    statement_.Pipeline(asker_, nodes[static_cast<std::size_t>(best - scores.begin())]);
    return true;
  }

  // Who may go from this node, first to fall first.
  std::vector<TaskIndex> VictimsOn(NodeIndex node) const {
    std::vector<TaskIndex> candidates;
    for (const TaskIndex t : session_.state().tasks_on(node)) {
      if (MayBeVictim(session_, asker_, t, kind_, false)) candidates.push_back(t);
    }
    if (candidates.empty()) return candidates;
    std::ranges::sort(candidates, [&](TaskIndex a, TaskIndex b) {
      return session_.VictimFallsBefore(a, b, asker_);
    });
    return kind_ == VictimKind::kReclaim ? session_.ReclaimVictims(asker_, candidates)
                                         : session_.PreemptVictims(asker_, candidates);
  }

  bool FitsNow(NodeIndex node) {
    if (!Request().FitsIn(session_.state().future_idle(node)) || !QueueAdmits()) return false;
    if (cluster_) session_.PreparePredicates(asker_);
    return session_.CheckNode(asker_, node, nullptr).ok();
  }

  std::optional<Plan> PlanOn(NodeIndex node) {
    const Unfit before = session_.CheckNode(asker_, node, nullptr);
    if (!before.ok() && !before.resolvable) return std::nullopt;
    const std::vector<TaskIndex> victims = VictimsOn(node);
    ResourceVector room = session_.state().future_idle(node);
    for (const TaskIndex t : victims) room += snapshot_.task(t).request;
    if (victims.empty() || !Request().FitsIn(room)) return std::nullopt;
    const Statement::Checkpoint start = statement_.checkpoint();
    std::vector<TaskIndex> chosen;
    bool fits = false;
    for (const TaskIndex t : victims) {
      statement_.Evict(t, job_, "");
      chosen.push_back(t);
      fits = FitsNow(node);
      if (fits) break;
    }
    if (fits) GiveBack(node, chosen);
    statement_.RollbackTo(start);
    if (cluster_) session_.PreparePredicates(asker_);
    if (!fits) return std::nullopt;
    Plan plan{node, std::move(chosen), INT32_MIN};
    for (const TaskIndex t : plan.victims)
      plan.top_priority = std::max(plan.top_priority, PriorityOf(t));
    return plan;
  }

  // Takes back, most valuable first, what is not needed.
  void GiveBack(NodeIndex node, std::vector<TaskIndex>& chosen) {
    for (std::size_t i = chosen.size() - 1; i-- > 0;) {
      statement_.Unevict(chosen[i]);
      if (FitsNow(node)) {
        chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        statement_.Evict(chosen[i], job_, "");
      }
    }
  }

  std::int32_t PriorityOf(TaskIndex t) const {
    return kind_ == VictimKind::kPreemptWithin ? snapshot_.task(t).priority
                                               : snapshot_.job(snapshot_.task(t).job).priority;
  }

  // Preempt spares the more important first; both then take fewer victims, then the least valuable.
  // Two plans never share a victim, and the order of victims has no ties.
  bool Better(const Plan& a, const Plan& b) const {
    if (kind_ != VictimKind::kReclaim && a.top_priority != b.top_priority)
      return a.top_priority < b.top_priority;
    if (a.victims.size() != b.victims.size()) return a.victims.size() < b.victims.size();
    return session_.VictimFallsBefore(a.victims.back(), b.victims.back(), asker_);
  }

  bool PlaceByEviction() {
    std::optional<Plan> best;
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      std::optional<Plan> plan = PlanOn(NodeIndex(n));
      if (plan && (!best || Better(*plan, *best))) best = std::move(plan);
    }
    if (!best) return false;
    for (const TaskIndex t : best->victims) statement_.Evict(t, job_, session_.action());
    statement_.Pipeline(asker_, best->node);
    return true;
  }

  Session& session_;
  const Snapshot& snapshot_;
  Statement& statement_;
  TaskIndex asker_;
  VictimKind kind_;
  bool own_queue_only_;
  JobIndex job_;
  QueueIndex queue_;
  bool cluster_ = false;
};

}  // namespace

bool PlaceWithVictims(Session& session, Statement& statement, TaskIndex asker, VictimKind kind,
                      bool own_queue_only) {
  return Search(session, statement, asker, kind, own_queue_only).Run();
}

void PlaceStarving(Session& session, Statement& statement, JobIndex job, VictimKind kind,
                   bool own_queue_only) {
  const QueueIndex queue = session.snapshot().job(job).queue;
  std::set<ClassIndex> failed;
  for (const TaskIndex task : AllPendingTasks(session, job)) {
    if (!session.JobStarving(job)) return;
    if (session.snapshot().task(task).record->preemption_never) continue;
    if (failed.contains(session.task_class(task))) continue;
    bool own_only = own_queue_only;
    if (kind == VictimKind::kReclaim && !session.MayReclaim(queue, task)) own_only = true;
    // Only quotas take from tasks of the asker's own queue.
    if (own_only && session.QuotaOf(task) == nullptr) continue;
    if (!PlaceWithVictims(session, statement, task, kind, own_only))
      failed.insert(session.task_class(task));
  }
}

}  // namespace batholith
