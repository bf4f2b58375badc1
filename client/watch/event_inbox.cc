#include "client/watch/event_inbox.h"

#include <utility>

namespace batholith {

void EventInbox::Push(ClusterEvent event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    if (events_.size() > 1) return;  // whoever waits was told with the first
  }
  came_.notify_one();
}

void EventInbox::Wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  came_.notify_one();
}

}  // namespace batholith
