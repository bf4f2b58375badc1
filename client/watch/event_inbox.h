#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "api/cluster_event.h"

namespace batholith {

// Events on their way from the threads that hear them to the one that schedules. In order for each
// sender.
class EventInbox {
 public:
  void Push(ClusterEvent event);
  // Something to look at that is no event: a conf that changed, the end.
  void Wake();
  // What has come; waits until something has, or the deadline.
  template <typename TimePoint>
  std::vector<ClusterEvent> TakeUntil(TimePoint deadline) {
    std::unique_lock lock(mutex_);
    came_.wait_until(lock, deadline, [&] { return woken_ || !events_.empty(); });
    woken_ = false;
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<ClusterEvent> events_;
  bool woken_ = false;
};

}  // namespace batholith
