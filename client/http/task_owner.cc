#include "client/http/task_owner.h"

#include <exception>
#include <utility>

namespace batholith {

// A coroutine that begins at once, destroys itself at its end, and stands in its owner's list
// meanwhile.
struct TaskOwner::Root {
  class promise_type {
   public:
    promise_type(TaskOwner& owner, const Task<>& /*task*/)
        : owner_(owner),
          place_(owner.roots_.insert(owner.roots_.end(),
                                     std::coroutine_handle<promise_type>::from_promise(*this))) {}
    promise_type(const promise_type&) = delete;
    promise_type& operator=(const promise_type&) = delete;
    ~promise_type() { owner_.roots_.erase(place_); }

    Root get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }

   private:
    TaskOwner& owner_;
    std::list<std::coroutine_handle<>>::iterator place_;
  };
};

TaskOwner::Root TaskOwner::Run(TaskOwner& /*owner*/, Task<> task) { co_await task; }

TaskOwner::~TaskOwner() {
  *is_there_ = false;
  while (!roots_.empty()) roots_.front().destroy();
}

void TaskOwner::Start(Task<> task) { Run(*this, std::move(task)); }

std::function<void()> TaskOwner::Guard(std::function<void()> work) const {
  return [is_there = is_there_, work = std::move(work)] {
    if (*is_there) work();
  };
}

}  // namespace batholith
