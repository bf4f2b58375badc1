#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "actions/common/quota_judge.h"

namespace batholith {

// The tasks of quotas that take from each other, those that stand on a node, node by node. Fixed
// for the session: who holds an allocation when it opens stays on its node.
struct QuotaGroup {
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  struct Slot {  // a node, and its part of `tasks`
    NodeIndex node;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  QuotaGroup(const Snapshot& snapshot, std::span<const TaskIndex> in_falling_order);

  std::span<const TaskIndex> falling;  // all of them, first to fall first
  std::vector<std::uint32_t> slot_of;  // by node
  std::vector<Slot> slots;
  std::vector<TaskIndex> tasks;          // by slot, in each first to fall first
  std::vector<std::int32_t> priorities;  // of `tasks`
  std::vector<TimeNs> starts;            // of `tasks`
  std::int32_t min_priority = INT32_MAX;
  std::int32_t max_priority = INT32_MIN;
  TimeNs max_start = INT64_MIN;
  bool has_units = false;  // some of them fall together
};

// Whom preemptors of one kind may take from now, and what that would free, node by node.
class QuotaPool {
 public:
  QuotaPool(const Session& session, const QuotaGroup& group, const QuotaVictimFilter& filter);

  // Takes note of what moved. Cost: O(moves since, and tasks on their nodes).
  void Refresh(const Session& session);

  const QuotaGroup& group() const { return group_; }
  bool Passes(std::size_t task) const { return passes_[task] != 0; }  // by place in group().tasks
  // Σ request of those on the node of the slot.
  const ResourceVector& Freed(std::size_t slot) const { return freed_[slot]; }

 private:
  void RefreshSlot(const Session& session, std::size_t slot);

  const QuotaGroup& group_;
  QuotaVictimFilter filter_;
  std::vector<std::uint8_t> passes_;
  std::vector<ResourceVector> freed_;
  std::size_t cursor_ = 0;  // in the moves
};

// What planning has found out in one action, kept for the askers to come. Everything in it can be
// found anew: it says nothing that the session would not say.
class QuotaMemory {
 public:
  // That of the action that runs.
  static QuotaMemory& Of(Session& session);

  QuotaPool& PoolOf(const Session& session, std::span<const TaskIndex> in_falling_order,
                    const QuotaVictimFilter& filter);

 private:
  const ActionDescriptor* action_ = nullptr;
  std::map<const TaskIndex*, std::unique_ptr<QuotaGroup>> groups_;
  std::vector<std::pair<QuotaVictimFilter, std::unique_ptr<QuotaPool>>> pools_;
};

}  // namespace batholith
