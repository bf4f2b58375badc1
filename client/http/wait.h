#pragma once

#include <chrono>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "client/http/http.h"

namespace batholith {

// What a task waits for where somebody calls back once, later and on the same thread. A wait that
// is destroyed is disarmed: the call still comes and wakes nobody, so it needs no cancelling and
// may outlive the task.
template <typename T>
class [[nodiscard]] Wait {
 public:
  using Done = std::function<void(T)>;

  // `begin` gets what to call.
  explicit Wait(std::move_only_function<void(Done)> begin) : begin_(std::move(begin)) {}
  Wait(Wait&&) noexcept = default;
  Wait& operator=(Wait&&) = delete;
  ~Wait() {
    if (state_ != nullptr) state_->waiter = nullptr;
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    state_->waiter = waiter;
    begin_([state = state_](T value) {
      if (!state->waiter) return;
      state->value.emplace(std::move(value));
      std::exchange(state->waiter, nullptr).resume();
    });
  }
  T await_resume() { return *std::move(state_->value); }

 private:
  struct State {
    std::coroutine_handle<> waiter;  // nothing: nobody waits any more
    std::optional<T> value;
  };

  std::move_only_function<void(Done)> begin_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// The answer to a request that is sent now. REQUIRES of both: on the client's thread.
Wait<HttpResult> Reply(HttpClient& client, HttpRequest request);
// A while, and at least one round of the client's loop.
Wait<std::monostate> Pause(HttpClient& client, std::chrono::milliseconds delay);

}  // namespace batholith
