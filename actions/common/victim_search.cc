#include "actions/common/victim_search.h"

#include <algorithm>
#include <optional>
#include <set>

#include "actions/common/job_queue.h"

namespace batholith {
namespace {

struct Plan {
  NodeIndex node;
  std::vector<TaskIndex> victims;  // in falling order
  std::int32_t top_priority = INT32_MIN;
};

class Search {
 public:
  Search(Session& session, Statement& statement, TaskIndex asker, VictimKind kind)
      : session_(session),
        snapshot_(session.snapshot()),
        statement_(statement),
        asker_(asker),
        kind_(kind),
        job_(snapshot_.task(asker).job),
        queue_(snapshot_.job(job_).queue) {}

  bool Run() {
    session_.PreparePredicates(asker_);
    cluster_ = session_.DependenceOf(asker_) == Dependence::kCluster;
    if (QueueAdmits() && PlaceFree()) return true;
    return PlaceByEviction();
  }

 private:
  const ResourceVector& Request() const { return snapshot_.task(asker_).request; }

  // Reclaim asks MayReclaim before; what the reclaimer may hold does not depend on the victims.
  bool QueueAdmits() const {
    return kind_ == VictimKind::kReclaim || session_.Admits(queue_, asker_).ok();
  }

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

  bool Eligible(TaskIndex victim) const {
    const TaskFacts& facts = snapshot_.task(victim);
    if (facts.job.is_none() || !facts.preemptable) return false;
    const TaskStatus status = session_.state().status(victim);
    const bool running = status == TaskStatus::kRunning;
    const JobFacts& job = snapshot_.job(facts.job);
    if (job.queue.is_none()) return false;
    switch (kind_) {
      case VictimKind::kReclaim:
        return running && job.queue != queue_ && snapshot_.queue(job.queue).reclaimable;
      case VictimKind::kPreemptJobs:
      case VictimKind::kPreemptWithin:
        if (!running && status != TaskStatus::kBound) return false;
        if (snapshot_.task(asker_).best_effort && !facts.best_effort) return false;
        if (kind_ == VictimKind::kPreemptWithin) return facts.job == job_;
        return job.queue == queue_ && facts.job != job_;
    }
    return false;
  }

  // Who may go from this node, first to fall first.
  std::vector<TaskIndex> VictimsOn(NodeIndex node) const {
    std::vector<TaskIndex> candidates;
    for (const TaskIndex t : session_.state().tasks_on(node)) {
      if (Eligible(t)) candidates.push_back(t);
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

  // Preempt spares the more important first; both then take fewer victims. Of equal plans preempt
  // takes the least valuable victim (two plans never share one, and their order has no ties);
  // reclaim stays on the first node, as Volcano does, so that it empties one node after another.
  bool Better(const Plan& a, const Plan& b) const {
    if (kind_ != VictimKind::kReclaim && a.top_priority != b.top_priority)
      return a.top_priority < b.top_priority;
    if (a.victims.size() != b.victims.size()) return a.victims.size() < b.victims.size();
    if (kind_ == VictimKind::kReclaim) return a.node < b.node;
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
  JobIndex job_;
  QueueIndex queue_;
  bool cluster_ = false;
};

}  // namespace

bool PlaceWithVictims(Session& session, Statement& statement, TaskIndex asker, VictimKind kind) {
  return Search(session, statement, asker, kind).Run();
}

void PlaceStarving(Session& session, Statement& statement, JobIndex job, VictimKind kind) {
  const QueueIndex queue = session.snapshot().job(job).queue;
  std::set<ClassIndex> failed;
  for (const TaskIndex task : AllPendingTasks(session, job)) {
    if (!session.JobStarving(job)) return;
    if (session.snapshot().task(task).record->preemption_never) continue;
    if (failed.contains(session.task_class(task))) continue;
    if (kind == VictimKind::kReclaim && !session.MayReclaim(queue, task)) continue;
    if (!PlaceWithVictims(session, statement, task, kind)) failed.insert(session.task_class(task));
  }
}

}  // namespace batholith
