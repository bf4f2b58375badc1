#include "actions/common/quota_pool.h"

#include <algorithm>
#include <numeric>

namespace batholith {

QuotaGroup::QuotaGroup(const Snapshot& snapshot, std::span<const TaskIndex> in_falling_order)
    : falling(in_falling_order), slot_of(snapshot.nodes.size(), kNoSlot) {
  const auto stands = [&](TaskIndex t) {
    const TaskFacts& facts = snapshot.task(t);
    return !facts.node.is_none() && HoldsAllocation(facts.status);
  };
  for (const TaskIndex t : falling) {
    if (!stands(t)) continue;
    const NodeIndex node = snapshot.task(t).node;
    std::uint32_t& slot = slot_of[node.value()];
    if (slot == kNoSlot) {
      slot = static_cast<std::uint32_t>(slots.size());
      slots.push_back({node});
    }
    ++slots[slot].end;
  }
  std::uint32_t begin = 0;
  for (Slot& slot : slots) {
    slot.begin = begin;
    begin += slot.end;
    slot.end = slot.begin;
  }
  tasks.resize(begin);
  priorities.resize(begin);
  starts.resize(begin);
  for (const TaskIndex t : falling) {
    if (!stands(t)) continue;
    const std::uint32_t at = slots[slot_of[snapshot.task(t).node.value()]].end++;
    const PodRecord& pod = *snapshot.task(t).record;
    tasks[at] = t;
    priorities[at] = QuotaPriorityOf(pod);
    starts[at] = QuotaStartOf(pod);
    min_priority = std::min(min_priority, priorities[at]);
    max_priority = std::max(max_priority, priorities[at]);
    max_start = std::max(max_start, starts[at]);
  }
}

QuotaPool::QuotaPool(const Session& session, const QuotaGroup& group,
                     const QuotaVictimFilter& filter)
    : group_(group),
      filter_(filter),
      passes_(group.tasks.size()),
      freed_(group.slots.size()),
      cursor_(session.state().moved().size()) {
  for (std::size_t slot = 0; slot < group.slots.size(); ++slot) RefreshSlot(session, slot);
}

void QuotaPool::Refresh(const Session& session) {
  const std::span<const TaskIndex> moved = session.state().moved();
  for (; cursor_ < moved.size(); ++cursor_) {
    const NodeIndex node = session.state().node(moved[cursor_]);
    if (node.is_none()) continue;
    const std::uint32_t slot = group_.slot_of[node.value()];
    if (slot != QuotaGroup::kNoSlot) RefreshSlot(session, slot);
  }
}

void QuotaPool::RefreshSlot(const Session& session, std::size_t slot) {
  freed_[slot] = ResourceVector();
  for (std::size_t i = group_.slots[slot].begin; i < group_.slots[slot].end; ++i) {
    passes_[i] = filter_.Passes(session, group_.tasks[i]) ? 1 : 0;
    if (passes_[i] != 0) freed_[slot] += session.snapshot().task(group_.tasks[i]).request;
  }
}

QuotaMemory& QuotaMemory::Of(Session& session) {
  using Kept = std::shared_ptr<QuotaMemory>;
  const Kept* kept = session.handover().Find<Kept>();
  if (kept == nullptr || (*kept)->action_ != session.running()) {
    auto fresh = std::make_shared<QuotaMemory>();
    fresh->action_ = session.running();
    session.handover().Leave<Kept>(std::move(fresh));
    kept = session.handover().Find<Kept>();
  }
  return **kept;
}

QuotaPool& QuotaMemory::PoolOf(const Session& session, std::span<const TaskIndex> in_falling_order,
                               const QuotaVictimFilter& filter) {
  std::unique_ptr<QuotaGroup>& group = groups_[in_falling_order.data()];
  if (group == nullptr) {
    group = std::make_unique<QuotaGroup>(session.snapshot(), in_falling_order);
    const EvictionUnits* units = EvictionUnits::Known(session);
    group->has_units = units != nullptr && std::ranges::any_of(in_falling_order, [&](TaskIndex t) {
                         return units->Find(t) != nullptr;
                       });
  }
  std::unique_ptr<QuotaPool>* pool = nullptr;
  for (auto& [known, of] : pools_) {
    if (&of->group() == group.get() && known == filter) pool = &of;
  }
  if (pool == nullptr) {
    pool =
        &pools_.emplace_back(filter, std::make_unique<QuotaPool>(session, *group, filter)).second;
  } else {
    (*pool)->Refresh(session);
  }
  return **pool;
}

}  // namespace batholith
