#include "actions/common/victim_hunt.h"

#include <algorithm>
#include <utility>

#include "actions/common/victim_walk.h"

namespace batholith {

VictimHunt::VictimHunt(const Session& session)
    : session_(session), snapshot_(session.snapshot()), order_(session), fewest_(session) {}

std::optional<VictimPlan> VictimHunt::Find(VictimTrial& trial) {
  if (!snapshot_.soft_shard) return FindAmong(trial, /*own_shard=*/false);
  std::optional<VictimPlan> plan = FindAmong(trial, /*own_shard=*/true);
  return plan ? std::move(plan) : FindAmong(trial, /*own_shard=*/false);
}

std::optional<VictimPlan> VictimHunt::FindAmong(VictimTrial& trial, bool own_shard) {
  own_shard_ = own_shard;
  Begin(trial);
  switch (trial.kind()) {
    case VictimKind::kReclaim:
      GoThroughNodes();
      break;
    case VictimKind::kPreemptJobs:
      WalkThroughQueue();
      break;
    case VictimKind::kPreemptWithin:
      order_.Refresh();
      for (const VictimOrder::Victim& victim : order_.VictimsOf(asker_.job)) Visit(victim);
      break;
  }
  return std::exchange(best_, std::nullopt);
}

void VictimHunt::Begin(VictimTrial& trial) {
  const TaskIndex task = trial.preemptor();
  const TaskFacts& facts = snapshot_.task(task);
  asker_ = {&trial, task, facts.job, &*facts.request, !session_.slack_guard().MayUse(task)};
  wanted_.clear();
  for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
    if (facts.request[r] > 0) wanted_.push_back(r);
  }
  fewest_.Set(task, wanted_);
  past_best_ = false;
  least_left_ = INT32_MIN;
  counted_for_ = fewer_ = 0;
  seen_units_.clear();
  if (trial.kind() == VictimKind::kReclaim) return;
  ++preemptor_;
  seen_nodes_.resize(snapshot_.nodes.size());
  seen_room_.resize(std::max(seen_room_.size(), wanted_.size() * snapshot_.nodes.size()));
}

void VictimHunt::GoThroughNodes() {
  if (!sums_) sums_.emplace(session_);
  sums_->Refresh(snapshot_.job(asker_.job).queue);
  const ClassIndex class_ = session_.classes().Of(asker_.task);
  const VictimSums::Asker asker{asker_.request, wanted_, asker_.guarded};
  for (std::size_t n = sums_->FirstFor(class_).value(); n < snapshot_.nodes.size(); ++n) {
    const NodeIndex node(n);
    if (own_shard_ && snapshot_.node(node).off_shard) continue;
    if (best_ && fewest_.On(node) >= std::ssize(best_->victims)) continue;
    if (!sums_->CouldHold(node, asker)) {
      sums_->PassOver(node, class_, /*refused=*/false);
      continue;
    }
    TryNode(node);
    if (best_ && best_->victims.size() == 1) return;
    if (!best_ && asker_.trial->IsBarred(node)) sums_->PassOver(node, class_, /*refused=*/true);
  }
}

void VictimHunt::WalkThroughQueue() {
  order_.Refresh();
  VictimWalk walk(order_, snapshot_.job(asker_.job).queue, /*with_spared=*/false);
  while (const VictimOrder::Victim* victim = walk.Next()) {
    if (walk.EntersJob() && !MayTakeFrom(victim->job)) {
      walk.SkipJob();
      continue;
    }
    least_left_ = walk.LeastPriorityLeft();
    if (best_ && IsSettled(victim->task)) return;
    Visit(*victim);
  }
}

bool VictimHunt::MayTakeFrom(JobIndex job) const {
  return job != asker_.job && !session_.chains().PreemptSparesFrom(asker_.task, job);
}

void VictimHunt::Visit(const VictimOrder::Victim& victim) {
  if (!asker_.trial->CanFall(victim.task)) return;
  const VictimUnit* unit = asker_.trial->UnitOf(victim.task);
  if (unit == nullptr) {
    CountIn(victim.node, *victim.request);
  } else if (seen_units_.insert(unit).second) {
    for (const auto& [node, part] : unit->parts) CountIn(node, part.request);
  }
}

// The first time that there would be room enough on the node, a plan is looked for there.
void VictimHunt::CountIn(NodeIndex index, const ResourceVector& request) {
  if (own_shard_ && snapshot_.node(index).off_shard) return;
  SeenNode& node = seen_nodes_[index.value()];
  std::int64_t* room = &seen_room_[index.value() * wanted_.size()];
  if (node.preemptor != preemptor_) {
    node = {preemptor_, false};
    for (std::size_t i = 0; i < wanted_.size(); ++i) room[i] = RoomIn(index, wanted_[i]);
  }
  if (node.tried) return;
  bool enough = true;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    room[i] = ResourceVector::AddSaturating(room[i], request[wanted_[i]]);
    enough = enough && (*asker_.request)[wanted_[i]] <= room[i];
  }
  if (!enough) return;
  if (counted_for_ > 0 && fewest_.On(index) < counted_for_) --fewer_;
  node.tried = true;
  if (MayBeBetter(index)) TryNode(index);
}

void VictimHunt::TryNode(NodeIndex node) {
  std::optional<VictimPlan> plan = asker_.trial->On(node);
  if (!plan || (best_ && !asker_.trial->Better(*plan, *best_))) return;
  best_ = std::move(plan);
  past_best_ = false;
}

// What is there for the preemptor before anybody falls.
std::int64_t VictimHunt::RoomIn(NodeIndex node, std::size_t r) const {
  const std::int64_t room = session_.state().future_idle(node)[r];
  return asker_.guarded ? ResourceVector::SubSaturating(room, session_.slack_guard().Held(node)[r])
                        : room;
}

// Whether no plan that ends at this victim or later can be better than the best one.
bool VictimHunt::IsSettled(TaskIndex victim) {
  if (!past_best_) {
    past_best_ = !session_.chains().VictimFallsBefore(victim, best_->last, asker_.task);
  }
  if (!past_best_) return false;
  if (least_left_ != best_->top_priority) return least_left_ > best_->top_priority;
  return !FewerPossible();
}

bool VictimHunt::Tried(NodeIndex node) const {
  const SeenNode& seen = seen_nodes_[node.value()];
  return seen.preemptor == preemptor_ && seen.tried;
}

// Whether a node that was not tried might do with fewer victims than the best plan.
bool VictimHunt::FewerPossible() {
  const std::int64_t size = std::ssize(best_->victims);
  if (size == 1) return false;
  if (counted_for_ != size) {
    counted_for_ = size;
    fewer_ = 0;
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      if (!Tried(NodeIndex(n)) && fewest_.On(NodeIndex(n)) < size) ++fewer_;
    }
  }
  return fewer_ > 0;
}

// Whether a plan that ends here or later, on this node, can still be better than the best one.
bool VictimHunt::MayBeBetter(NodeIndex node) {
  if (!best_) return true;
  if (least_left_ < best_->top_priority) return true;
  const std::int64_t size = std::ssize(best_->victims);
  return past_best_ ? fewest_.On(node) < size : fewest_.On(node) <= size;
}

}  // namespace batholith
