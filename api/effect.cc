#include "api/effect.h"

namespace batholith {

const char* PodPhaseName(PodPhase phase) {
  switch (phase) {
    case PodPhase::kPending:
      return "Pending";
    case PodPhase::kRunning:
      return "Running";
    case PodPhase::kSucceeded:
      return "Succeeded";
    case PodPhase::kFailed:
      return "Failed";
    case PodPhase::kUnknown:
      return "Unknown";
  }
  return "";
}

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
