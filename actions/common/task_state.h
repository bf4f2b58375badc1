#pragma once

#include "api/task_status.h"

namespace batholith {

// It holds nothing any more, on whatever node it was.
inline bool IsFinished(TaskStatus status) {
  return status == TaskStatus::kSucceeded || status == TaskStatus::kFailed;
}

}  // namespace batholith
