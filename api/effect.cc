#include "api/effect.h"

namespace batholith {

const char* JobPhaseName(JobPhase phase) {
  switch (phase) {
    case JobPhase::kNone:
    case JobPhase::kPending:
      return "Pending";
    case JobPhase::kInqueue:
      return "Inqueue";
    case JobPhase::kRunning:
      return "Running";
    case JobPhase::kUnknown:
      return "Unknown";
    case JobPhase::kCompleted:
      return "Completed";
  }
  return "";
}

const char* QueueStateName(QueueState state) {
  switch (state) {
    case QueueState::kOpen:
      return "Open";
    case QueueState::kClosing:
      return "Closing";
    case QueueState::kClosed:
      return "Closed";
    case QueueState::kUnknown:
      return "Unknown";
  }
  return "";
}

}  // namespace batholith
