#include "actions/common/quota_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace batholith {
namespace {

constexpr std::size_t kMaxNodes = 100;

// A pod without priority has 0 among quotas, as the API server would have set.
std::int32_t PriorityOf(const Snapshot& snapshot, TaskIndex t) {
  return snapshot.task(t).record->priority.value_or(0);
}

struct Plan {
  NodeIndex node;
  std::vector<TaskIndex> victims;
  std::size_t violating = 0;
  std::size_t touched_nodes = 0;
};

class Planner {
 public:
  Planner(Session& session, Statement& statement, TaskIndex asker, VictimKind kind,
          bool own_queue_only)
      : session_(session),
        snapshot_(session.snapshot()),
        statement_(statement),
        asker_(asker),
        kind_(kind),
        own_queue_only_(own_queue_only),
        job_(snapshot_.task(asker).job),
        queue_(snapshot_.job(job_).queue),
        quota_(*session.QuotaOf(asker)),
        limits_(quota_.PlanLimits(asker)) {}

  bool Run() {
    for (const TaskIndex t : quota_.SharingQuotas(asker_)) {
      if (MayBeVictim(t)) candidates_.push_back(t);
    }
    if (candidates_.empty()) return false;
    if (!GangVotes()) SurplusFirst();
    quota_short_ = !session_.AdmitsSoon(queue_, asker_).ok();
    std::optional<Plan> best;
    for (const NodeIndex node : Nodes()) {
      std::optional<Plan> plan = PlanOn(node, false);
      if (!plan && quota_short_ && limits_.across_nodes) plan = PlanOn(node, true);
      if (plan && (!best || Better(*plan, *best))) best = std::move(plan);
    }
    if (!best) return false;
    for (const TaskIndex t : best->victims) statement_.Evict(t, job_, session_.action());
    statement_.Pipeline(asker_, best->node);
    return true;
  }

 private:
  const ResourceVector& Request() const { return snapshot_.task(asker_).request; }

  // Quotas cut across queues; a queue's own rules still hold for what is in others.
  bool MayBeVictim(TaskIndex victim) const {
    const TaskFacts& facts = snapshot_.task(victim);
    if (facts.job.is_none() || facts.job == job_ || !facts.preemptable) return false;
    const TaskStatus status = session_.state().status(victim);
    const bool bound = status == TaskStatus::kBound && kind_ != VictimKind::kReclaim;
    if (status != TaskStatus::kRunning && !bound) return false;
    if (snapshot_.task(asker_).best_effort && !facts.best_effort) return false;
    const QueueIndex queue = snapshot_.job(facts.job).queue;
    if (queue.is_none() || queue == queue_) return !queue.is_none();
    return !own_queue_only_ &&
           (kind_ != VictimKind::kReclaim || snapshot_.queue(queue).reclaimable);
  }

  bool GangVotes() const {
    const Point point = kind_ == VictimKind::kReclaim ? Point::kReclaimable : Point::kPreemptable;
    return std::ranges::any_of(session_.pipeline().plugins, [&](const Pipeline::PluginEntry& e) {
      return e.descriptor->name == "gang" && e.conf.points.Has(point);
    });
  }

  // Where gang does not spare minimums, what jobs hold beyond theirs goes first.
  void SurplusFirst() {
    std::map<JobIndex, std::int32_t> surplus;
    const auto beyond = [&](TaskIndex t) {
      const JobIndex job = snapshot_.task(t).job;
      const auto [it, added] = surplus.try_emplace(
          job, session_.state().job(job).Ready() - snapshot_.job(job).min_available);
      return it->second-- > 0;
    };
    std::vector<TaskIndex> first;
    std::vector<TaskIndex> then;
    for (const TaskIndex t : candidates_) (beyond(t) ? first : then).push_back(t);
    candidates_ = std::move(first);
    candidates_.insert(candidates_.end(), then.begin(), then.end());
  }

  // Nodes that could hold the asker if every candidate on them left; the best scored ones.
  std::vector<NodeIndex> Nodes() {
    std::map<NodeIndex, ResourceVector> freed;
    for (const TaskIndex t : candidates_)
      freed[session_.state().node(t)] += snapshot_.task(t).request;
    std::vector<NodeIndex> nodes;
    session_.PreparePredicates(asker_);
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      const NodeIndex node(n);
      ResourceVector room = session_.state().future_idle(node);
      const auto it = freed.find(node);
      if (it != freed.end()) room += it->second;
      if (!Request().FitsIn(room)) continue;
      const Unfit why = session_.CheckNode(asker_, node, nullptr);
      if (why.ok() || why.resolvable) nodes.push_back(node);
    }
    if (nodes.size() <= kMaxNodes) return nodes;
    std::vector<double> scores(nodes.size(), 0);
    session_.Score(asker_, nodes, scores);
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<NodeIndex> best;
    for (std::size_t i = 0; i < kMaxNodes; ++i) best.push_back(nodes[order[i]]);
    return best;
  }

  bool On(TaskIndex t, NodeIndex node) const { return session_.state().node(t) == node; }

  // Who may go for a place on this node, those on it first.
  std::vector<TaskIndex> AllowedFor(NodeIndex node, bool elsewhere) const {
    std::vector<TaskIndex> asked;
    for (const TaskIndex t : candidates_) {
      if (On(t, node)) asked.push_back(t);
    }
    for (const TaskIndex t : candidates_) {
      if (elsewhere && !On(t, node)) asked.push_back(t);
    }
    if (asked.empty()) return asked;
    return kind_ == VictimKind::kReclaim ? session_.ReclaimVictims(asker_, asked)
                                         : session_.PreemptVictims(asker_, asked);
  }

  bool HasRoomSoon() const { return session_.AdmitsSoon(queue_, asker_).ok(); }

  bool Fits(NodeIndex node) {
    if (!Request().FitsIn(session_.state().future_idle(node)) || !HasRoomSoon()) return false;
    session_.PreparePredicates(asker_);
    return session_.CheckNode(asker_, node, nullptr).ok();
  }

  std::optional<Plan> PlanOn(NodeIndex node, bool elsewhere) {
    const std::vector<TaskIndex> allowed = AllowedFor(node, elsewhere);
    if (allowed.empty()) return std::nullopt;
    const Statement::Checkpoint start = statement_.checkpoint();
    for (const TaskIndex t : allowed) statement_.Evict(t, job_, "");
    std::optional<Plan> plan;
    if (Fits(node)) plan = PutBack(node, allowed);
    statement_.RollbackTo(start);
    if (!plan || plan->victims.empty() || plan->victims.size() > limits_.victims ||
        plan->touched_nodes > limits_.touched_nodes) {
      return std::nullopt;
    }
    return plan;
  }

  Plan PutBack(NodeIndex node, const std::vector<TaskIndex>& allowed) {
    std::vector<TaskIndex> here;
    std::vector<TaskIndex> elsewhere;
    for (const TaskIndex t : allowed) (On(t, node) ? here : elsewhere).push_back(t);
    Plan plan{node, {}, 0, 0};
    const auto put_back = [&](std::vector<TaskIndex>& tasks, bool on_node) {
      const std::size_t violating = quota_.OrderForPuttingBack(tasks);
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        statement_.Unevict(tasks[i]);
        if (on_node ? Fits(node) : HasRoomSoon()) continue;
        statement_.Evict(tasks[i], job_, "");
        plan.victims.push_back(tasks[i]);
        plan.violating += i < violating ? 1 : 0;
      }
    };
    put_back(elsewhere, false);
    put_back(here, true);
    if (!GangVotes()) TakeWholeJobs(plan.victims);
    std::set<NodeIndex> touched;
    for (const TaskIndex t : plan.victims) touched.insert(snapshot_.task(t).node);
    plan.touched_nodes = touched.size();
    return plan;
  }

  // A job that would be left with less than its minimum goes whole: half a gang is no use.
  void TakeWholeJobs(std::vector<TaskIndex>& victims) const {
    std::map<JobIndex, std::int32_t> lost;
    for (const TaskIndex t : victims) ++lost[snapshot_.task(t).job];
    for (const auto& [job, count] : lost) {
      const std::int32_t ready = session_.state().job(job).Ready();
      if (ready >= snapshot_.job(job).min_available) continue;
      for (const TaskIndex t : candidates_) {
        if (snapshot_.task(t).job == job && std::ranges::find(victims, t) == victims.end())
          victims.push_back(t);
      }
    }
  }

  // Reference 5.6, step 4.
  bool Better(const Plan& a, const Plan& b) const {
    const auto rank = [&](const Plan& p) {
      std::int64_t sum = 0;
      std::int32_t top = INT32_MIN;
      for (const TaskIndex t : p.victims) {
        top = std::max(top, PriorityOf(snapshot_, t));
        sum += PriorityOf(snapshot_, t);
      }
      TimeNs start = INT64_MAX;
      for (const TaskIndex t : p.victims) {
        const PodRecord& pod = *snapshot_.task(t).record;
        if (PriorityOf(snapshot_, t) == top)
          start = std::min(start, pod.started_at != 0 ? pod.started_at : pod.meta.creation);
      }
      return std::tuple(p.violating, top, sum, p.victims.size(), p.touched_nodes, -start,
                        snapshot_.node(p.node).record->meta.name);
    };
    return rank(a) < rank(b);
  }

  Session& session_;
  const Snapshot& snapshot_;
  Statement& statement_;
  TaskIndex asker_;
  VictimKind kind_;
  bool own_queue_only_;
  JobIndex job_;
  QueueIndex queue_;
  const QuotaVictims& quota_;
  QuotaVictims::Limits limits_;
  std::vector<TaskIndex> candidates_;  // first to fall first
  bool quota_short_ = false;
};

}  // namespace

bool PlaceWithQuotaVictims(Session& session, Statement& statement, TaskIndex asker, VictimKind kind,
                           bool own_queue_only) {
  return Planner(session, statement, asker, kind, own_queue_only).Run();
}

}  // namespace batholith
