#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace batholith {

// Threads that share one loop. Owned by a session, which is otherwise one thread. The easy mistake:
// letting a body write anything but what belongs to its own indices; then the result would depend
// on the threads.
class Workers {
 public:
  // Below this many indices a loop is not worth the hand-over: it costs some microseconds, and what
  // is asked about a node some 20 ns, most of it in waiting for memory that the threads share.
  static constexpr std::size_t kWorthwhile = 8192;

  // No more threads than the machine has cores are used.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Calls body(begin, end) for disjoint ranges that make up [0, count); returns when all are done.
  // REQUIRES: the body does not throw, and calls of it may run at the same time.
  template <typename Body>
  void ForRanges(std::size_t count, const Body& body) const {
    if (pool_ == nullptr || count < kWorthwhile) {
      body(std::size_t{0}, count);
    } else {
      Run(count, std::cref(body));
    }
  }

 private:
  struct Pool;
  void Run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& body) const;

  std::unique_ptr<Pool> pool_;  // none: one thread
};

}  // namespace batholith
