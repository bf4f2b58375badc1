#pragma once

#include <coroutine>
#include <functional>
#include <list>
#include <memory>

#include "client/http/task.h"

namespace batholith {

// Holds the tasks that somebody started and does not wait for. A task that returns goes away by
// itself; those that still wait go away with the owner, which therefore is the last member of
// whoever they work on. On the client's thread, or where that has ended. REQUIRES: not destroyed by
// one of its tasks.
class TaskOwner {
 public:
  TaskOwner() = default;
  ~TaskOwner();
  TaskOwner(const TaskOwner&) = delete;
  TaskOwner& operator=(const TaskOwner&) = delete;

  // Runs it until it waits for the first time, or is done.
  void Start(Task<> task);
  // How many tasks wait.
  std::size_t running() const { return roots_.size(); }
  // The same work, which does nothing once the owner has gone. Any thread may ask for it; it is
  // done on the client's.
  std::function<void()> Guard(std::function<void()> work) const;

 private:
  struct Root;
  static Root Run(TaskOwner& owner, Task<> task);

  std::list<std::coroutine_handle<>> roots_;
  std::shared_ptr<bool> is_there_ = std::make_shared<bool>(true);
};

}  // namespace batholith
