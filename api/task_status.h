#pragma once

#include <cstdint>

namespace batholith {

// Life cycle: Pending→Allocated→Binding→Bound→Running→Releasing→gone; Pending→Pipelined→Pending
// (next session).
enum class TaskStatus : std::uint8_t {
  kPending,
  kAllocated,
  kPipelined,
  kBinding,
  kBound,
  kRunning,
  kReleasing,
  kSucceeded,
  kFailed,
  kUnknown,
};

constexpr bool HoldsAllocation(TaskStatus s) {  // Volcano's Allocated-set
  return s == TaskStatus::kAllocated || s == TaskStatus::kBinding || s == TaskStatus::kBound ||
         s == TaskStatus::kRunning;
}
constexpr bool CountsAsReady(TaskStatus s) {
  return HoldsAllocation(s) || s == TaskStatus::kSucceeded;
}
const char* TaskStatusName(TaskStatus status);

}  // namespace batholith
