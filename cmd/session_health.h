#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace batholith {

// Whether sessions come to their end. One thread runs them, any may ask.
class SessionHealth {
 public:
  using Clock = std::chrono::steady_clock;

  // Sessions of one row that failed; sessions 0: the last one ended well, or none has run.
  struct Trouble {
    std::string why;  // of the last one
    std::uint64_t sessions = 0;
    Clock::time_point since;
    bool is_new = false;  // the one before it ended well or failed in another way
    // More than one unlucky moment.
    bool lasts() const { return sessions >= 3; }
    // "3 sessions in a row failed, since 2 s: …"
    std::string Text(Clock::time_point now) const;
  };

  // Runs one session. What it throws costs that session and is told to `on_failure`: nothing was
  // sent by then, and the next one looks at the cluster anew. A broken invariant still aborts.
  void Try(const std::function<void()>& session,
           const std::function<void(const Trouble&)>& on_failure);

  Trouble trouble() const;

 private:
  mutable std::mutex mutex_;
  Trouble trouble_;
};

}  // namespace batholith
