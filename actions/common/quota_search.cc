#include "actions/common/quota_search.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace batholith {
namespace {

constexpr std::size_t kFirstPart = 8;  // of a list of which the first ones will do, mostly

}  // namespace

QuotaSearch::QuotaSearch(Session& session, Statement& statement, TaskIndex preemptor,
                         VictimKind kind, bool own_queue_only)
    : QuotaJudge(session, statement, preemptor, kind, own_queue_only),
      memory_(QuotaMemory::Of(session)),
      pool_(memory_.PoolOf(session, quota_.SharingQuotas(preemptor), filter_)),
      group_(pool_.group()),
      own_queue_only_(own_queue_only),
      holds_some_(session.state().job(job_).Of(TaskStatus::kRunning) +
                      session.state().job(job_).Of(TaskStatus::kBound) >
                  0) {
  for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
    if (request_[r] > 0) wanted_.push_back(r);
  }
}

QuotaSearch::Answer QuotaSearch::Best() {
  if (cluster_ || !MinimumsAreSpared() || quota_.BudgetsProtect() || group_.has_units) return {};
  if (!session_.chains().AddShortfalls(queue_, preemptor_, short_) ||
      !quota_.AddUnfair(preemptor_, held_, short_))
    return {};
  const auto for_good = [](const Shortfall& s) { return s.amount == Shortfall::kForGood; };
  if (std::ranges::any_of(short_, for_good)) return {.sure = true};
  const auto later = [](const Bid& a, const Bid& b) { return a.least > b.least; };
  std::vector<Bid> bids;
  for (const NodeIndex node : Nodes()) {
    if (auto bid = BidFor(node, checks_.CheckReserved(node).ok(), false)) bids.push_back(*bid);
  }
  std::priority_queue<Bid, std::vector<Bid>, decltype(later)> open(later, std::move(bids));
  Answer best{.sure = true};
  std::optional<QuotaPlanRank> rank;
  while (!open.empty() && (!rank || open.top().least < *rank)) {
    const Bid bid = open.top();
    open.pop();
    if (bid.across && !bid.refined) {
      if (!LooksElsewhere()) break;
      if (auto refined = BidFor(bid.node, bid.passes, true)) open.push(*refined);
      continue;
    }
    Answer found = PlanOn(bid);
    if (!found.sure) return {};
    if (!found.plan) continue;
    const QuotaPlanRank its = RankOf(*found.plan);
    if (rank && *rank < its) continue;
    rank = its;
    best.plan = std::move(found.plan);
  }
  if (best.plan && !AnybodyMayGo()) best.plan.reset();
  return best;
}

// --- what is needed, and what tasks give ---

void QuotaSearch::NeedOf(NodeIndex node) {
  const ResourceVector room = RoomOn(node);
  needs_.clear();
  for (const std::size_t r : wanted_)
    needs_.push_back(ResourceVector::SubSaturating(request_[r], room[r]));
  for (const Shortfall& s : short_) needs_.push_back(s.amount);
  given_.assign(needs_.size(), 0);
}

std::int64_t QuotaSearch::Given(TaskIndex t, std::size_t need) const {
  if (need < wanted_.size()) return snapshot_.task(t).request[wanted_[need]];
  const Shortfall& s = short_[need - wanted_.size()];
  return s.source->Relief(s, t);
}

// Adds the task to what is given, or takes it away; from this need on.
void QuotaSearch::Count(TaskIndex t, int sign, std::size_t from) {
  for (std::size_t i = from; i < needs_.size(); ++i) {
    if (needs_[i] > 0) given_[i] = ResourceVector::AddSaturating(given_[i], sign * Given(t, i));
  }
}

bool QuotaSearch::Enough(std::size_t from) const {
  for (std::size_t i = from; i < needs_.size(); ++i) {
    if (given_[i] < needs_[i]) return false;
  }
  return true;
}

// --- nodes, and bounds of what can be found there ---

bool QuotaSearch::HoldsWithVictims(NodeIndex node) const {
  const std::uint32_t slot = group_.slot_of[node.value()];
  ResourceVector freed;
  if (slot != QuotaGroup::kNoSlot && !holds_some_) freed = pool_.Freed(slot);
  if (slot != QuotaGroup::kNoSlot && holds_some_) {
    for (std::size_t i = group_.slots[slot].begin; i < group_.slots[slot].end; ++i) {
      const TaskFacts& facts = snapshot_.task(group_.tasks[i]);
      if (pool_.Passes(i) && facts.job != job_) freed += facts.request;
    }
  }
  const ResourceVector room = RoomOn(node);
  return std::ranges::all_of(wanted_, [&](std::size_t r) {
    return request_[r] <= ResourceVector::AddSaturating(room[r], freed[r]);
  });
}

// As QuotaTrial has them.
std::vector<NodeIndex> QuotaSearch::Nodes() {
  std::vector<NodeIndex> nodes;
  checks_.Refresh();
  for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
    const NodeIndex node(n);
    if (!HoldsWithVictims(node)) continue;
    const Unfit why = checks_.CheckReserved(node);
    if (why.ok() || why.resolvable) nodes.push_back(node);
  }
  return BestScored(std::move(nodes));
}

bool QuotaSearch::Spared(JobIndex job) {
  const auto [it, added] = spared_.try_emplace(job);
  if (added) {
    it->second = kind_ == VictimKind::kReclaim ? session_.chains().ReclaimSpares(preemptor_, job)
                                               : session_.chains().PreemptSpares(preemptor_, job);
  }
  return it->second;
}

// Leaves in given_ what all of them give.
QuotaSearch::Estimate QuotaSearch::EstimateOf(NodeIndex node, bool passes) {
  Estimate out;
  NeedOf(node);
  const std::uint32_t slot = group_.slot_of[node.value()];
  if (slot == QuotaGroup::kNoSlot) return out;
  const ResourceVector room = RoomOn(node);
  for (std::size_t i = group_.slots[slot].begin; i < group_.slots[slot].end; ++i) {
    const TaskIndex t = group_.tasks[i];
    const JobIndex job = snapshot_.task(t).job;
    if (!pool_.Passes(i) || job == job_ || (passes && !Gives(t, !short_.empty(), &room))) continue;
    if (Spared(job)) continue;
    ++out.count;
    out.min_priority = std::min(out.min_priority, group_.priorities[i]);
    out.negative += std::min(group_.priorities[i], 0);
    out.max_start = std::max(out.max_start, group_.starts[i]);
    Count(t, 1, 0);
    bool alone = true;
    for (std::size_t n = 0; n < needs_.size() && alone; ++n)
      alone = needs_[n] <= 0 || Given(t, n) >= needs_[n];
    const std::pair rank(group_.priorities[i], -group_.starts[i]);
    if (alone && (!out.single || rank < *out.single)) out.single = rank;
  }
  return out;
}

// None: no plan for the node.
std::optional<QuotaSearch::Bid> QuotaSearch::BidFor(NodeIndex node, bool passes, bool refined) {
  const Estimate here = EstimateOf(node, passes);
  Bid bid{.node = node, .passes = passes, .refined = refined};
  const std::string_view name = snapshot_.node(node).record->meta.name;
  const bool enough_here = here.count > 0 && Enough(0);
  bool enough_room = true;
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    enough_room = enough_room && given_[i] >= needs_[i];
  const bool across = limits_.across_nodes && !short_.empty() && enough_room;
  if (!passes) {
    if (here.count == 0) return std::nullopt;
    const bool alike = group_.min_priority == group_.max_priority;
    bid.least = {.top_priority = group_.min_priority,
                 .priorities = INT64_MIN,
                 .start = StartRank(alike ? here.max_start : group_.max_start),
                 .node = name};
    return bid;
  }
  if (!enough_here && !across) return std::nullopt;
  bid.across = !enough_here;
  if (enough_here) bid.least = LeastHere(node, here);
  if (across) {
    const QuotaPlanRank least = LeastAcross(node, here, refined);
    if (bid.across || least < bid.least) bid.least = least;
  }
  return bid;
}

// With tasks of the node only.
QuotaPlanRank QuotaSearch::LeastHere(NodeIndex node, const Estimate& here) const {
  const std::string_view name = snapshot_.node(node).record->meta.name;
  QuotaPlanRank least{
      .top_priority = here.min_priority,
      .priorities = here.negative < 0 ? here.negative : 2 * std::int64_t{here.min_priority},
      .victims = 2,
      .touched_nodes = 1,
      .start = StartRank(here.max_start),
      .node = name};
  if (!here.single) return least;
  const QuotaPlanRank single{.top_priority = here.single->first,
                             .priorities = here.single->first,
                             .victims = 1,
                             .touched_nodes = 1,
                             .start = here.single->second,
                             .node = name};
  return here.count < 2 ? single : std::min(least, single);
}

// With at least one task that stands elsewhere. REQUIRES: given_ as EstimateOf leaves it.
QuotaPlanRank QuotaSearch::LeastAcross(NodeIndex node, const Estimate& here, bool refined) {
  const bool lacks_room = std::any_of(needs_.begin(), needs_.begin() + std::ssize(wanted_),
                                      [](std::int64_t need) { return need > 0; });
  QuotaPlanRank least{.top_priority = group_.min_priority,
                      .priorities = group_.min_priority,
                      .victims = 1,
                      .touched_nodes = 1,
                      .node = snapshot_.node(node).record->meta.name};
  TimeNs start = group_.max_start;
  const bool alike = group_.min_priority == group_.max_priority;
  if (lacks_room) {
    least.top_priority = std::max(least.top_priority, here.min_priority);
    least.priorities += here.min_priority;
    ++least.victims;
    ++least.touched_nodes;
    if (alike) start = std::min(start, here.max_start);
  }
  if (group_.min_priority < 0) least.priorities = INT64_MIN;
  for (std::size_t i = 0; refined && alike && i < short_.size(); ++i) {
    if (given_[wanted_.size() + i] < short_[i].amount)
      start = std::min(start, elsewhere_[i].max_start);
  }
  least.start = StartRank(start);
  return least;
}

// Adds up who may fall wherever; false: there is no plan, since all of them give too little.
bool QuotaSearch::LooksElsewhere() {
  if (elsewhere_.empty()) {
    elsewhere_.resize(short_.size());
    for (std::size_t i = 0; i < group_.tasks.size(); ++i) {
      const TaskIndex t = group_.tasks[i];
      const JobIndex job = snapshot_.task(t).job;
      if (!pool_.Passes(i) || job == job_) continue;
      for (std::size_t s = 0; s < short_.size(); ++s) {
        const std::int64_t given = short_[s].source->Relief(short_[s], t);
        if (given <= 0 || Spared(job)) continue;
        elsewhere_[s].sum = ResourceVector::AddSaturating(elsewhere_[s].sum, given);
        elsewhere_[s].max_start = std::max(elsewhere_[s].max_start, group_.starts[i]);
      }
    }
  }
  for (std::size_t s = 0; s < short_.size(); ++s) {
    if (elsewhere_[s].sum < short_[s].amount) return false;
  }
  return true;
}

// --- plans ---

QuotaSearch::Answer QuotaSearch::PlanOn(const Bid& bid) {
  if (bid.passes) return PlanOnSums(bid.node);
  // What the node's checks say once some have left is known only when they have.
  if (!trial_) trial_.emplace(session_, statement_, preemptor_, kind_, own_queue_only_);
  Answer answer{.sure = true, .plan = trial_->PlanOn(bid.node)};
  answer.sure = !trial_->looked_further();
  return answer;
}

QuotaSearch::Answer QuotaSearch::PlanOnSums(NodeIndex node) {
  NeedOf(node);
  const ResourceVector room = RoomOn(node);
  std::vector<TaskIndex> helpers;
  const std::uint32_t slot = group_.slot_of[node.value()];
  const QuotaGroup::Slot part =
      slot == QuotaGroup::kNoSlot ? QuotaGroup::Slot{} : group_.slots[slot];
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const TaskIndex t = group_.tasks[i];
    if (pool_.Passes(i) && snapshot_.task(t).job != job_ && Gives(t, !short_.empty(), &room))
      helpers.push_back(t);
  }
  const std::vector<TaskIndex> here = Allowed(helpers);
  for (const TaskIndex t : here) Count(t, 1, 0);
  if (!here.empty() && Enough(0)) {
    std::vector<TaskIndex> victims;
    PutBack(here, 0, victims);
    QuotaPlan plan = Finished(node, std::move(victims));
    if (WithinLimits(plan)) return {.sure = true, .plan = std::move(plan)};
  } else if (AnotherSetMight(node, helpers, here)) {
    return {};
  }
  if (short_.empty() || !limits_.across_nodes) return {.sure = true};
  return PlanAcross(node, helpers, here);
}

// First to fall first: those who make up for what is short stand at the front of the tasks
// elsewhere. All behind them would be put back.
QuotaSearch::Answer QuotaSearch::PlanAcross(NodeIndex node, const std::vector<TaskIndex>& helpers,
                                            const std::vector<TaskIndex>& here) {
  std::vector<TaskIndex> asked = helpers;
  std::vector<TaskIndex> allowed = here;
  NeedOf(node);
  for (const TaskIndex t : here) Count(t, 1, 0);
  std::size_t counted = here.size();
  std::size_t part = helpers.size() + kFirstPart;
  auto next = group_.falling.begin();
  while (!Enough(wanted_.size()) && next != group_.falling.end()) {
    for (; next != group_.falling.end() && asked.size() < part; ++next) {
      if (!On(*next, node) && MayBeVictim(*next) && Gives(*next, !short_.empty(), nullptr))
        asked.push_back(*next);
    }
    part = 4 * part;
    allowed = Allowed(asked);
    for (; counted < allowed.size(); ++counted) Count(allowed[counted], 1, wanted_.size());
  }
  if (allowed.empty() || !Enough(0)) {
    if (Enough(wanted_.size())) {  // the node is what lacks room: only its own tasks help
      return {.sure = !AnotherSetMight(node, helpers, here)};
    }
    return {.sure = !AnotherSetMight(node, asked, allowed)};
  }
  std::vector<TaskIndex> victims;
  PutBack({allowed.begin() + std::ssize(here), allowed.end()}, wanted_.size(), victims);
  PutBack(here, 0, victims);
  QuotaPlan plan = Finished(node, std::move(victims));
  Answer answer{.sure = true};
  if (WithinLimits(plan)) answer.plan = std::move(plan);
  return answer;
}

bool QuotaSearch::FallsAlone(TaskIndex t) {
  const auto [it, added] = alone_.try_emplace(t);
  if (added) it->second = MayFallTogether({&t, 1});
  return it->second;
}

// Whether those who could fall, each by itself, would do where those who may fall in their order
// do not. REQUIRES: given_ is what `allowed` give.
bool QuotaSearch::AnotherSetMight(NodeIndex node, const std::vector<TaskIndex>& helpers,
                                  const std::vector<TaskIndex>& allowed) {
  const std::vector<std::int64_t> before = given_;
  auto next = allowed.begin();
  for (const TaskIndex t : helpers) {
    if (next != allowed.end() && *next == t) {
      ++next;
    } else if (FallsAlone(t)) {
      Count(t, 1, On(t, node) ? 0 : wanted_.size());
    }
  }
  const bool might = Enough(0);
  given_ = before;
  return might;
}

// Most deserving first, as long as enough is given without them.
void QuotaSearch::PutBack(const std::vector<TaskIndex>& tasks, std::size_t from,
                          std::vector<TaskIndex>& victims) {
  for (std::size_t i = tasks.size(); i-- > 0;) {
    Count(tasks[i], -1, from);
    if (Enough(from)) continue;
    Count(tasks[i], 1, from);
    victims.push_back(tasks[i]);
  }
}

QuotaPlan QuotaSearch::Finished(NodeIndex node, std::vector<TaskIndex> victims) const {
  QuotaPlan plan{.node = node, .victims = std::move(victims)};
  plan.touched_nodes = NodesOf(plan.victims);
  return plan;
}

// Whoever may go for some node may go while nobody else has gone.
bool QuotaSearch::AnybodyMayGo() {
  std::vector<TaskIndex> asked;
  std::size_t part = kFirstPart;
  auto next = group_.falling.begin();
  while (next != group_.falling.end()) {
    for (; next != group_.falling.end() && asked.size() < part; ++next) {
      if (MayBeVictim(*next)) asked.push_back(*next);
    }
    if (!Allowed(asked).empty()) return true;
    part = 4 * part;
  }
  return false;
}

}  // namespace batholith
