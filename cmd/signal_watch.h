#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace batholith {

// Ends the process on SIGTERM, SIGINT and SIGHUP (but those that were ignored), whatever else it is
// at: a thread that does nothing but wait for them. Made before any other thread starts, which
// would take them; lives until nothing is left that can hang. The process ends at once, by that
// signal; where somebody asked for an orderly end, at the second signal, or when that has taken too
// long.
class SignalWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // `budget` is how long an orderly end may take; then the process ends with status kCutShort.
  explicit SignalWatch(std::chrono::milliseconds budget = {});
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // From now on the first signal calls `ask`, on the watch's thread, where it must not block.
  void AskForEnd(std::function<void(int signal)> ask);
  // The end begins, where no signal asked for it. Any thread.
  void Begin();
  // When the end began. REQUIRES: it did.
  Clock::time_point began() const { return Clock::time_point(Clock::duration(began_)); }
  // For the message of an end that took too long: what is waited for now.
  void WaitsFor(const char* what) { waits_for_ = what; }
  // Stopped just before the process ends without unwinding.
  std::stop_token end_of_process() const { return end_of_process_.get_token(); }

 private:
  void Watch();
  void OnSignal(int signal);
  [[noreturn]] void EndBy(int signal);
  [[noreturn]] void CutShort();
  int MillisecondsLeft() const;

  const std::chrono::milliseconds budget_;
  sigset_t signals_{}, mask_before_{};
  int signal_descriptor_, wake_descriptor_;
  std::atomic<Clock::rep> began_ = 0;  // 0: not yet
  std::atomic<bool> over_ = false;
  std::atomic<const char*> waits_for_ = "the session";
  std::stop_source end_of_process_;
  std::mutex mutex_;  // of ask_
  std::function<void(int)> ask_;
  std::thread thread_;
};

}  // namespace batholith
