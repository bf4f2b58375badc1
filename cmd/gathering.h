#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>

#include "api/cluster_event.h"
#include "api/effect.h"

namespace batholith {

// When what came is decided on: events that follow each other are taken together, and a group whose
// pods are still being made is waited for, so that a job beside it does not take what its minimum
// needs. A pod on its own is never waited with. Tells by the times that it is given only. One
// thread.
class Gathering {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Until nothing follows, and at most so long where nobody lacks pods.
  static constexpr std::chrono::milliseconds kQuiet{5};
  static constexpr std::chrono::milliseconds kMost{20};
  // Of the period: at most so long for pods that a minimum lacks.
  static constexpr int kPartOfPeriod = 5;

  explicit Gathering(std::chrono::nanoseconds period) : longest_(period / kPartOfPeriod) {}

  void Came(const ClusterEvent& event, Time now);
  // A session begins: what came is taken up.
  void Begin();
  // What it said of jobs. Cost: O(jobs).
  void Decided(const CycleResult& report, Time now);

  // Since `first`, the first of the events that no session has seen. REQUIRES: there are any.
  Time Due() const;

 private:
  struct Group {
    bool known = false;               // a session saw it, or its object came
    int lacks = 0;                    // pods of its minimum when it became known
    std::set<std::string> came = {};  // pods since the last session
    Time until = {};                  // it is waited for no longer
    bool Lacks() const { return known && static_cast<int>(came.size()) < lacks; }
  };

  void PodCame(const PodRecord& pod, Time now);
  void GroupCame(const PodGroupRecord& group, Time now);

  std::chrono::nanoseconds longest_;
  std::map<std::string, Group> groups_;  // that lack pods, or got some since the last session
  bool any_ = false;
  bool alone_ = false;  // a pod on its own came
  Time first_, last_;
};

}  // namespace batholith
