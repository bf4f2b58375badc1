#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace batholith {

// What the promises of all tasks share: who waits for the task goes on when it returns.
class TaskPromiseBase {
 public:
  struct WakeWaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) const noexcept {
      return done.promise().waiter();
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  WakeWaiter final_suspend() const noexcept { return {}; }
  // Expected failures are values here, and nobody on the client's thread could catch one.
  [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
  std::coroutine_handle<> waiter() const noexcept { return waiter_; }
  void set_waiter(std::coroutine_handle<> waiter) noexcept { waiter_ = waiter; }

 private:
  std::coroutine_handle<> waiter_;
};

template <typename T>
class TaskPromise : public TaskPromiseBase {
 public:
  void return_value(T value) { value_.emplace(std::move(value)); }
  T Take() { return *std::move(value_); }

 private:
  std::optional<T> value_;
};

template <>
class TaskPromise<void> : public TaskPromiseBase {
 public:
  void return_void() const noexcept {}
  void Take() const noexcept {}
};

// A function that waits for answers and timers on the way and still reads from top to bottom. It
// begins when it is awaited, once, and runs on the thread that wakes it. Whoever holds a task ends
// it by destroying it: its variables go away, and what it waited for wakes nobody. The easy
// mistake: what `co_await` waits for is a variable with a name, as g++ 12 destroys temporaries
// there twice. REQUIRES: not destroyed while it runs.
template <typename T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : TaskPromise<T> {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) const noexcept {
    handle_.promise().set_waiter(waiter);
    return handle_;
  }
  T await_resume() const { return handle_.promise().Take(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace batholith
