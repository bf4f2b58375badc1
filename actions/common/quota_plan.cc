#include "actions/common/quota_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "actions/common/victim_set.h"

namespace batholith {
namespace {

constexpr std::size_t kMaxNodes = 100;
// About other sets than the first to fall, for one preemptor.
constexpr std::int64_t kMaxQuestions = 10'000;

struct Plan {
  NodeIndex node;
  std::vector<TaskIndex> victims;
  std::vector<TaskIndex> dragged;  // of these, who goes only because half of his job does
  std::size_t violating = 0;
  std::size_t touched_nodes = 0;
};

class Planner final : public VictimJudge {
 public:
  Planner(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind,
          bool own_queue_only)
      : VictimJudge(session, statement, preemptor, kind),
        own_queue_only_(own_queue_only),
        quota_(*session.chains().QuotaOf(preemptor)),
        limits_(quota_.PlanLimits(preemptor)) {}

  bool Run() {
    for (const TaskIndex t : quota_.SharingQuotas(preemptor_)) {
      if (MayBeVictim(t)) candidates_.push_back(t);
    }
    if (candidates_.empty()) return false;
    // Whoever may go for some node may go while nobody else has gone.
    if (Allowed(candidates_).empty()) return false;
    if (!MinimumsAreSpared()) SurplusFirst();
    held_ = quota_.Held(preemptor_);
    quota_short_ = !HasRoomSoon();
    std::optional<Plan> best;
    for (const NodeIndex node : Nodes()) {
      std::optional<Plan> plan = PlanOn(node, false);
      if (!plan && quota_short_ && limits_.across_nodes) plan = PlanOn(node, true);
      if (plan && (!best || Better(*plan, *best))) best = std::move(plan);
    }
    if (!best) return false;
    for (const TaskIndex t : best->victims) statement_.Evict(t, job_, session_.action());
    statement_.Pipeline(preemptor_, best->node);
    return true;
  }

 private:
  // Quotas cut across queues; a queue's own rules still hold for what is in others.
  bool MayBeVictim(TaskIndex victim) const {
    const TaskFacts& facts = snapshot_.task(victim);
    if (facts.job.is_none() || facts.job == job_ || !facts.preemptable) return false;
    const TaskStatus status = session_.state().status(victim);
    const bool bound = status == TaskStatus::kBound && kind_ != VictimKind::kReclaim;
    if (status != TaskStatus::kRunning && !bound) return false;
    // On a node that is not there any more: nothing comes free where it was.
    if (session_.state().node(victim).is_none()) return false;
    if (snapshot_.task(preemptor_).best_effort && !facts.best_effort) return false;
    const QueueIndex queue = snapshot_.job(facts.job).queue;
    if (queue.is_none() || queue == queue_) return !queue.is_none();
    return !own_queue_only_ &&
           (kind_ != VictimKind::kReclaim || snapshot_.queue(queue).reclaimable);
  }

  bool MinimumsAreSpared() const {
    return kind_ == VictimKind::kReclaim ? session_.chains().ReclaimSparesMinimums()
                                         : session_.chains().PreemptSparesMinimums();
  }

  // Where no plugin spares minimums, what jobs hold beyond theirs goes first.
  void SurplusFirst() {
    std::map<JobIndex, std::int32_t> surplus;
    const auto beyond = [&](TaskIndex t) {
      const JobIndex job = snapshot_.task(t).job;
      const auto [it, added] = surplus.try_emplace(
          job, session_.state().job(job).Ready() - snapshot_.job(job).min_available);
      return it->second-- > 0;
    };
    for (const TaskIndex t : candidates_) {
      if (beyond(t)) surplus_.insert(t);
    }
    std::ranges::stable_partition(candidates_, [&](TaskIndex t) { return surplus_.contains(t); });
  }

  // Nodes that could hold the preemptor if every candidate on them left; the best scored ones.
  std::vector<NodeIndex> Nodes() {
    std::map<NodeIndex, ResourceVector> freed;
    for (const TaskIndex t : candidates_)
      freed[session_.state().node(t)] += snapshot_.task(t).request;
    std::vector<NodeIndex> nodes;
    checks_.Refresh();
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      const NodeIndex node(n);
      ResourceVector room = RoomOn(node);
      const auto it = freed.find(node);
      if (it != freed.end()) room += it->second;
      if (!request_.FitsIn(room)) continue;
      const Unfit why = checks_.CheckReserved(node);
      if (why.ok() || why.resolvable) nodes.push_back(node);
    }
    if (nodes.size() <= kMaxNodes) return nodes;
    std::vector<double> scores(nodes.size(), 0);
    session_.chains().Score(preemptor_, nodes, scores);
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<NodeIndex> best;
    for (std::size_t i = 0; i < kMaxNodes; ++i) best.push_back(nodes[order[i]]);
    return best;
  }

  bool On(TaskIndex t, NodeIndex node) const { return session_.state().node(t) == node; }

  // Who could go for a place on this node, those on it first. What guards count is not spent on
  // tasks whose leaving would not help.
  std::vector<TaskIndex> HelpersFor(NodeIndex node, bool elsewhere) const {
    checks_.Refresh();
    const bool passes = checks_.CheckReserved(node).ok();
    const ResourceVector room = RoomOn(node);
    std::vector<TaskIndex> asked;
    for (const TaskIndex t : candidates_) {
      if (On(t, node) && !IsBoundToStay(t) && (!passes || Gives(t, &room))) asked.push_back(t);
    }
    for (const TaskIndex t : candidates_) {
      if (elsewhere && !On(t, node) && !IsBoundToStay(t) && Gives(t, nullptr)) asked.push_back(t);
    }
    return asked;
  }

  // Whether the task has something that the preemptor asks for and lacks: in its quota, or beyond
  // `room`.
  bool Gives(TaskIndex t, const ResourceVector* room) const {
    const ResourceVector& given = snapshot_.task(t).request;
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (request_[r] <= 0 || given[r] <= 0) continue;
      if (quota_short_ || (room != nullptr && request_[r] > (*room)[r])) return true;
    }
    return false;
  }

  // Of the minimum of a job that cannot go whole.
  bool IsBoundToStay(TaskIndex t) const {
    return unbreakable_.contains(snapshot_.task(t).job) && !surplus_.contains(t);
  }

  bool HasRoomSoon() const override {
    return session_.chains().AdmitsSoon(queue_, preemptor_).ok() &&
           quota_.KeepsFair(preemptor_, held_);
  }

  std::optional<Plan> PlanOn(NodeIndex node, bool elsewhere) {
    std::optional<Plan> plan = TryOn(node, elsewhere);
    while (plan && !MayAllGo(plan->dragged)) plan = TryOn(node, elsewhere);
    if (!plan || plan->victims.empty() || plan->victims.size() > limits_.victims ||
        plan->touched_nodes > limits_.touched_nodes) {
      return std::nullopt;
    }
    return plan;
  }

  // Whether each of them could be a victim by itself; a job of which one could not keeps its
  // minimum from now on.
  bool MayAllGo(const std::vector<TaskIndex>& tasks) {
    bool all = true;
    for (const TaskIndex t : tasks) {
      if (MayBeVictim(t) && MayFallTogether({&t, 1})) continue;
      unbreakable_.insert(snapshot_.task(t).job);
      all = false;
    }
    return all;
  }

  std::optional<Plan> TryOn(NodeIndex node, bool elsewhere) {
    const std::vector<TaskIndex> helpers = HelpersFor(node, elsewhere);
    std::optional<Plan> plan = PlanWith(node, Allowed(helpers));
    return plan ? plan : PlanWith(node, AnotherSet(node, helpers));
  }

  // What guards let go in falling order may be of no use, while other tasks of the same jobs would
  // be.
  std::vector<TaskIndex> AnotherSet(NodeIndex node, std::span<const TaskIndex> helpers) {
    std::vector<TaskIndex> options;
    for (const TaskIndex t : helpers) {
      if (MayFallTogether({&t, 1})) options.push_back(t);
    }
    if (options.size() < 2 || !MakesRoom(node, options)) return {};
    return VictimSet(*this, node, options, questions_).Find().value_or(std::vector<TaskIndex>());
  }

  // None: the preemptor has no place there without them.
  std::optional<Plan> PlanWith(NodeIndex node, const std::vector<TaskIndex>& allowed) {
    if (allowed.empty()) return std::nullopt;
    const Statement::Checkpoint start = statement_.checkpoint();
    for (const TaskIndex t : allowed) statement_.Evict(t, job_, "");
    std::optional<Plan> plan;
    if (FitsNow(node)) plan = PutBack(node, allowed);
    statement_.RollbackTo(start);
    return plan;
  }

  Plan PutBack(NodeIndex node, const std::vector<TaskIndex>& allowed) {
    std::vector<TaskIndex> here;
    std::vector<TaskIndex> elsewhere;
    for (const TaskIndex t : allowed) (On(t, node) ? here : elsewhere).push_back(t);
    Plan plan{node, {}, {}, 0, 0};
    std::set<TaskIndex> violating;
    const auto put_back = [&](std::vector<TaskIndex>& tasks, bool on_node) {
      OrderForPuttingBack(tasks, violating);
      for (const TaskIndex t : tasks) {
        if (!StaysIf(t, [&] { return on_node ? FitsNow(node) : HasRoomSoon(); }))
          plan.victims.push_back(t);
      }
    };
    put_back(elsewhere, false);
    put_back(here, true);
    if (!MinimumsAreSpared()) TakeWholeJobs(plan, violating);
    std::set<NodeIndex> touched;
    for (const TaskIndex t : plan.victims) touched.insert(snapshot_.task(t).node);
    plan.touched_nodes = touched.size();
    plan.violating = static_cast<std::size_t>(
        std::ranges::count_if(plan.victims, [&](TaskIndex t) { return violating.contains(t); }));
    return plan;
  }

  // Most deserving first; of those that budgets protect alike, what a job holds beyond its minimum
  // comes last.
  void OrderForPuttingBack(std::vector<TaskIndex>& tasks, std::set<TaskIndex>& violating) const {
    const auto split =
        tasks.begin() + static_cast<std::ptrdiff_t>(quota_.OrderForPuttingBack(tasks));
    violating.insert(tasks.begin(), split);
    const auto needed = [&](TaskIndex t) { return !surplus_.contains(t); };
    std::stable_partition(tasks.begin(), split, needed);
    std::stable_partition(split, tasks.end(), needed);
  }

  template <typename Condition>
  bool StaysIf(TaskIndex t, Condition condition) {
    statement_.Unevict(t);
    if (condition()) return true;
    statement_.Evict(t, job_, "");
    return false;
  }

  // A job that would be left with less than its minimum goes whole: half a gang is no use. What
  // others need not leave then is put back.
  void TakeWholeJobs(Plan& plan, std::set<TaskIndex>& violating) {
    std::set<JobIndex> whole;
    for (const TaskIndex t : plan.victims) {
      const JobIndex job = snapshot_.task(t).job;
      if (session_.state().job(job).Ready() < snapshot_.job(job).min_available) whole.insert(job);
    }
    for (const JobIndex job : whole) {
      for (const TaskIndex t : snapshot_.job(job).tasks) {
        if (HoldsAllocation(session_.state().status(t))) plan.dragged.push_back(t);
      }
    }
    if (plan.dragged.empty()) return;
    OrderForPuttingBack(plan.dragged, violating);
    for (const TaskIndex t : plan.dragged) {
      if (MayBeVictim(t)) statement_.Evict(t, job_, "");  // else the plan will not stand
    }
    std::erase_if(plan.victims, [&](TaskIndex t) {
      return !whole.contains(snapshot_.task(t).job) &&
             StaysIf(t, [&] { return FitsNow(plan.node); });
    });
    plan.victims.insert(plan.victims.end(), plan.dragged.begin(), plan.dragged.end());
  }

  // Reference 5.6, step 4.
  bool Better(const Plan& a, const Plan& b) const {
    const auto rank = [&](const Plan& p) {
      std::int64_t sum = 0;
      std::int32_t top = INT32_MIN;
      for (const TaskIndex t : p.victims) {
        const std::int32_t priority = QuotaPriorityOf(*snapshot_.task(t).record);
        top = std::max(top, priority);
        sum += priority;
      }
      TimeNs start = INT64_MAX;
      for (const TaskIndex t : p.victims) {
        const PodRecord& pod = *snapshot_.task(t).record;
        if (QuotaPriorityOf(pod) == top) start = std::min(start, QuotaStartOf(pod));
      }
      return std::tuple(p.violating, top, sum, p.victims.size(), p.touched_nodes, -start,
                        snapshot_.node(p.node).record->meta.name);
    };
    return rank(a) < rank(b);
  }

  bool own_queue_only_;
  const QuotaOwner& quota_;
  QuotaOwner::Limits limits_;
  std::vector<TaskIndex> candidates_;  // first to fall first
  std::set<TaskIndex> surplus_;        // of these, where nobody spares them, beyond the minimums
  std::set<JobIndex> unbreakable_;     // jobs that cannot go whole
  ResourceVector held_;                // by the quota, before anybody is evicted
  bool quota_short_ = false;
  std::int64_t questions_ = kMaxQuestions;
};

}  // namespace

bool PlaceWithQuotaVictims(Session& session, Statement& statement, TaskIndex preemptor,
                           VictimKind kind, bool own_queue_only) {
  return Planner(session, statement, preemptor, kind, own_queue_only).Run();
}

}  // namespace batholith
