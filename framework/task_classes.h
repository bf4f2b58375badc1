#pragma once

#include <cstddef>
#include <vector>

#include "api/snapshot.h"
#include "framework/slack_guard.h"

namespace batholith {

class Chains;

// Which tasks of a session are alike: of one base class, of equal signature to every plugin, and
// equally allowed to use held room. What is found out about a node for one of them holds for all.
class TaskClasses {
 public:
  // Cost: O(tasks), where more than base classes matter.
  TaskClasses(const Snapshot& snapshot, const Chains& chains, const SlackGuard& guard);

  ClassIndex Of(TaskIndex task) const {
    return of_.empty() ? snapshot_.task(task).base_class : of_[task.value()];
  }
  std::size_t size() const { return size_; }

 private:
  const Snapshot& snapshot_;
  std::vector<ClassIndex> of_;  // empty: base classes
  std::size_t size_ = 0;
};

}  // namespace batholith
