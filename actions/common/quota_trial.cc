#include "actions/common/quota_trial.h"

#include <algorithm>
#include <map>

#include "actions/common/victim_set.h"

namespace batholith {
namespace {

// About other sets than the first to fall, for one preemptor.
constexpr std::int64_t kMaxQuestions = 10'000;

}  // namespace

QuotaTrial::QuotaTrial(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind,
                       bool own_queue_only)
    : QuotaJudge(session, statement, preemptor, kind, own_queue_only), questions_(kMaxQuestions) {
  for (const TaskIndex t : quota_.SharingQuotas(preemptor_)) {
    if (MayBeVictim(t)) candidates_.push_back(t);
  }
  quota_short_ = !HasRoomSoon();
}

bool QuotaTrial::looked_further() const { return questions_ < kMaxQuestions; }

std::optional<QuotaPlan> QuotaTrial::Best() {
  std::optional<QuotaPlan> best;
  // Whoever may go for some node may go while nobody else has gone.
  if (Allowed(candidates_).empty()) return best;
  if (!MinimumsAreSpared()) SurplusFirst();
  for (const NodeIndex node : Nodes()) {
    std::optional<QuotaPlan> plan = PlanOn(node);
    if (plan && (!best || RankOf(*plan) < RankOf(*best))) best = std::move(plan);
  }
  return best;
}

std::optional<QuotaPlan> QuotaTrial::PlanOn(NodeIndex node) {
  std::optional<QuotaPlan> plan = PlanOn(node, false);
  if (!plan && quota_short_ && limits_.across_nodes) plan = PlanOn(node, true);
  return plan;
}

// Where no plugin spares minimums, what jobs hold beyond theirs goes first.
void QuotaTrial::SurplusFirst() {
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
std::vector<NodeIndex> QuotaTrial::Nodes() {
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
  return BestScored(std::move(nodes));
}

// Who could go for a place on this node, those on it first. What guards count is not spent on
// tasks whose leaving would not help.
std::vector<TaskIndex> QuotaTrial::HelpersFor(NodeIndex node, bool elsewhere) const {
  checks_.Refresh();
  const bool passes = checks_.CheckReserved(node).ok();
  const ResourceVector room = RoomOn(node);
  std::vector<TaskIndex> asked;
  std::set<const VictimUnit*> units;  // of which one speaks for all; looked up only
  const auto ask = [&](TaskIndex t) {
    const VictimUnit* unit = UnitOf(t);
    if (unit == nullptr || units.insert(unit).second) asked.push_back(t);
  };
  for (const TaskIndex t : candidates_) {
    if (On(t, node) && !IsBoundToStay(t) && (!passes || Gives(t, quota_short_, &room))) ask(t);
  }
  for (const TaskIndex t : candidates_) {
    if (elsewhere && !On(t, node) && !IsBoundToStay(t) && Gives(t, quota_short_, nullptr)) ask(t);
  }
  return asked;
}

// Of the minimum of a job that cannot go whole.
bool QuotaTrial::StaysWithJob(TaskIndex t) const {
  return unbreakable_.contains(snapshot_.task(t).job) && !surplus_.contains(t);
}

bool QuotaTrial::IsBoundToStay(TaskIndex t) const {
  const VictimUnit* unit = UnitOf(t);
  if (unit == nullptr) return StaysWithJob(t);
  return std::ranges::any_of(unit->standing, [&](TaskIndex s) { return StaysWithJob(s); });
}

std::optional<QuotaPlan> QuotaTrial::PlanOn(NodeIndex node, bool elsewhere) {
  std::optional<QuotaPlan> plan = TryOn(node, elsewhere);
  while (plan && !MayAllGo(*plan)) {
    const std::size_t bound = unbreakable_.size();
    KeepWhole(*plan);
    if (unbreakable_.size() == bound) return std::nullopt;
    plan = TryOn(node, elsewhere);
  }
  return plan && WithinLimits(*plan) ? plan : std::nullopt;
}

// Whether what goes with its job could be a victim too, by itself and with all the others.
bool QuotaTrial::MayAllGo(const QuotaPlan& plan) const {
  return std::ranges::all_of(plan.dragged, [&](TaskIndex t) { return MayGo(t); }) &&
         (plan.dragged.empty() || MayFallTogether(plan.victims));
}

bool QuotaTrial::MayGo(TaskIndex t) const { return MayBeVictim(t) && MayFallTogether({&t, 1}); }

// Jobs that cannot go whole keep their minimum from now on: those of which one task may not go,
// else all of them, for what guards count is not enough for all.
void QuotaTrial::KeepWhole(const QuotaPlan& plan) {
  const bool each = std::ranges::all_of(plan.dragged, [&](TaskIndex t) { return MayGo(t); });
  for (const TaskIndex t : plan.dragged) {
    if (each || !MayGo(t)) unbreakable_.insert(snapshot_.task(t).job);
  }
}

std::optional<QuotaPlan> QuotaTrial::TryOn(NodeIndex node, bool elsewhere) {
  const std::vector<TaskIndex> helpers = HelpersFor(node, elsewhere);
  std::optional<QuotaPlan> plan = PlanWith(node, Allowed(helpers));
  return plan ? plan : PlanWith(node, AnotherSet(node, helpers));
}

// What guards let go in falling order may be of no use, while other tasks of the same jobs would
// be.
std::vector<TaskIndex> QuotaTrial::AnotherSet(NodeIndex node, std::span<const TaskIndex> helpers) {
  std::vector<TaskIndex> options;
  for (const TaskIndex t : helpers) {
    if (MayFallTogether({&t, 1})) options.push_back(t);
  }
  if (options.size() < 2 || !MakesRoom(node, options)) return {};
  return VictimSet(*this, node, options, questions_).Find().value_or(std::vector<TaskIndex>());
}

// None: the preemptor has no place there without them.
std::optional<QuotaPlan> QuotaTrial::PlanWith(NodeIndex node,
                                              const std::vector<TaskIndex>& allowed) {
  if (allowed.empty()) return std::nullopt;
  const Statement::Checkpoint start = statement_.checkpoint();
  evicted_at_.resize(snapshot_.tasks.size());
  for (const TaskIndex t : allowed) Evict(t);
  std::optional<QuotaPlan> plan;
  if (FitsNow(node)) plan = PutBack(node, allowed);
  statement_.RollbackTo(start);
  return plan;
}

QuotaPlan QuotaTrial::PutBack(NodeIndex node, const std::vector<TaskIndex>& allowed) {
  std::vector<TaskIndex> here;
  std::vector<TaskIndex> elsewhere;
  for (const TaskIndex t : allowed) (On(t, node) ? here : elsewhere).push_back(t);
  QuotaPlan plan{.node = node, .victims = {}};
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
  if (has_units()) AddUnits(plan, violating);
  if (!MinimumsAreSpared()) TakeWholeJobs(plan, violating);
  plan.touched_nodes = NodesOf(plan.victims);
  plan.violating = static_cast<std::size_t>(
      std::ranges::count_if(plan.victims, [&](TaskIndex t) { return violating.contains(t); }));
  return plan;
}

// Most deserving first; of those that budgets protect alike, what a job holds beyond its minimum
// comes last.
void QuotaTrial::OrderForPuttingBack(std::vector<TaskIndex>& tasks,
                                     std::set<TaskIndex>& violating) const {
  const auto split = tasks.begin() + static_cast<std::ptrdiff_t>(quota_.OrderForPuttingBack(tasks));
  violating.insert(tasks.begin(), split);
  const auto needed = [&](TaskIndex t) { return !surplus_.contains(t); };
  std::stable_partition(tasks.begin(), split, needed);
  std::stable_partition(split, tasks.end(), needed);
}

// All who fall, instead of those who speak for them.
void QuotaTrial::AddUnits(QuotaPlan& plan, std::set<TaskIndex>& violating) const {
  plan.victims = WithUnits(plan.victims);
  std::vector<TaskIndex> all = plan.victims;
  violating.clear();
  OrderForPuttingBack(all, violating);
}

template <typename Condition>
bool QuotaTrial::StaysIf(TaskIndex t, Condition condition) {
  if (InUnit(t)) {
    for (const TaskIndex of : WithUnits({&t, 1})) statement_.UnevictAt(evicted_at_[of.value()]);
  } else {
    statement_.UnevictAt(evicted_at_[t.value()]);
  }
  if (condition()) return true;
  Evict(t);
  return false;
}

void QuotaTrial::Evict(TaskIndex t) {
  if (!InUnit(t)) return EvictAlone(t);
  for (const TaskIndex of : WithUnits({&t, 1})) EvictAlone(of);
}

void QuotaTrial::EvictAlone(TaskIndex t) { evicted_at_[t.value()] = statement_.Evict(t, job_, ""); }

// A job that would be left with less than its minimum goes whole: half a gang is no use. What
// others need not leave then is put back.
void QuotaTrial::TakeWholeJobs(QuotaPlan& plan, std::set<TaskIndex>& violating) {
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
    if (MayBeVictim(t)) EvictAlone(t);  // else the plan will not stand
  }
  std::erase_if(plan.victims, [&](TaskIndex t) {
    return !whole.contains(snapshot_.task(t).job) && !InUnit(t) &&
           StaysIf(t, [&] { return FitsNow(plan.node); });
  });
  plan.victims.insert(plan.victims.end(), plan.dragged.begin(), plan.dragged.end());
}

}  // namespace batholith
