#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "api/cluster_event.h"
#include "api/effect.h"
#include "api/snapshot.h"
#include "cache/live_cluster.h"
#include "framework/last_decision.h"
#include "test/bench/judge.h"
#include "test/bench/measure.h"

namespace batholith::bench {

inline constexpr TimeNs kStart = TimeNs{1} << 60;
inline constexpr TimeNs kSecond = 1'000'000'000;

// Runs sessions on the clock, counts what they decide and has them checked. Keeps the last result
// and, for the session after it, what slack and autoscale remember. One for a measurement.
class TimedSession {
 public:
  // `remembers`: each session starts from what the one before remembered; else all measured ones
  // from what the warm-up left.
  TimedSession(const Pipeline& pipeline, const MeasureOptions& options, bool is_same,
               bool remembers)
      : pipeline_(pipeline), options_(options), judge_(pipeline, is_same), remembers_(remembers) {}

  // From now on results are counted and checked.
  void BeginMeasured() { measured_ = true; }
  // A run of one session or more, whose figures follow.
  void BeginRun();

  // A session on these records.
  Phases Run(std::shared_ptr<const ClusterObjects> objects, TimeNs now);
  // Tells a live cluster the events and runs a session on it, without taking what it decided for
  // done. The events are let go of off the clock. As in the scheduler's loop no session is run
  // where the last decision stands.
  Phases Run(LiveCluster& cluster, std::vector<ClusterEvent> events, TimeNs now);
  // Takes for done what the last session decided, on the clock.
  Phases Assume(LiveCluster& cluster, TimeNs now);

  const CycleResult& result() const { return result_; }
  // Whether the last session said the same as the one before; true for the first one.
  bool SameAsBefore();
  void Record(std::vector<std::string> problems) { judge_.Record(std::move(problems)); }

  // Moves everything but `runs` into `out`.
  void Finish(Measurement& out);

 private:
  using Snapshots = std::function<std::shared_ptr<const Snapshot>()>;

  // `apply`: false where no session is to be run.
  Phases Timed(const ClusterObjects& objects, const std::function<bool()>& apply,
               const Snapshots& take);
  void Count();

  const Pipeline& pipeline_;
  const MeasureOptions& options_;
  Judge judge_;
  bool remembers_;
  bool measured_ = false;
  Measurement out_;
  CycleResult result_;
  SlackReport slack_;
  AutoscaleReport autoscale_;
  bool has_memory_ = false;
  LastDecision decision_;
  std::shared_ptr<const CycleResult> decided_;  // of the last session on a live cluster
  std::uint64_t seen_ = 0;                      // its version
  bool still_ = false;                          // the last session was not run
  std::optional<std::uint64_t> before_;         // digest of the session before
};

}  // namespace batholith::bench
