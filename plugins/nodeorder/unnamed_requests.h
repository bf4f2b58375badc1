#pragma once

#include <vector>

#include "api/snapshot.h"
#include "framework/session_state.h"

namespace batholith {

// What scores count on nodes beyond the requests of pods, for containers that name none, see
// PodRecord::unnamed_cpu. Without such pods it keeps nothing.
class UnnamedRequests {
 public:
  UnnamedRequests(const Snapshot& snapshot, const SessionState& state);

  bool any() const { return !on_.empty(); }
  // After the task has moved.
  void Update(TaskIndex task);
  std::int64_t CpuOn(NodeIndex node) const { return on_.empty() ? 0 : on_[node.value()].cpu; }
  std::int64_t MemoryOn(NodeIndex node) const { return on_.empty() ? 0 : on_[node.value()].memory; }

 private:
  struct Sum {
    std::int64_t cpu = 0;
    std::int64_t memory = 0;
  };
  void Add(TaskIndex task, NodeIndex node, int sign);

  const Snapshot& snapshot_;
  const SessionState& state_;
  std::vector<Sum> on_;                // by NodeIndex
  std::vector<NodeIndex> counted_on_;  // by TaskIndex
};

}  // namespace batholith
