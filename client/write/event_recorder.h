#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "client/http/http.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"
#include "client/watch/object_event.h"

namespace batholith {

// Sends events, few at a time: an event that was sent is not sent again for ten minutes, nor one
// that differs from it in numbers that move; and of very many those that do not fit the rate are
// counted and dropped, for they must never hold up a bind. On the client's thread.
class EventRecorder {
 public:
  struct Options {
    std::string component, instance;
    double per_second = 50;
    int burst = 200;
    std::function<bool()> may_send;
    std::function<void(const std::string&)> warn;  // of what the server refuses, now and then
  };

  EventRecorder(HttpClient& client, Options options);

  void Record(const ObjectEvent& event);
  std::uint64_t dropped() const { return dropped_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Key = std::tuple<std::string, std::string, std::string>;  // uid, reason, note

  bool TakeToken();
  Task<> Send(Key key, HttpRequest request);

  HttpClient& client_;
  Options options_;
  double tokens_;
  Clock::time_point filled_ = Clock::now();
  std::map<Key, Clock::time_point> sent_;
  Clock::time_point swept_ = Clock::now();
  std::uint64_t dropped_ = 0;
  std::optional<Clock::time_point> warned_;
  std::uint64_t count_ = 0;
  TaskOwner tasks_;
};

}  // namespace batholith
