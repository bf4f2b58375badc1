#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "api/snapshot.h"
#include "cache/snapshot_builder.h"
#include "framework/cycle.h"
#include "framework/pipeline.h"
#include "scheduler/run_outcome.h"
#include "sim/cluster.h"

namespace batholith {

// A clock for runs that have none: 2026-01-01T00:00:00Z.
inline constexpr TimeNs kDefaultNow = 1'767'225'600'000'000'000;
// `cycles: idle` gives up here.
inline constexpr int kMaxIdleCycles = 100;

// What happens before session `cycle`: first what is removed, then updates, then additions.
struct RunEvent {
  int cycle = 1;
  std::vector<std::string> remove;
  ObjectUpdate update;
  ClusterObjects add;
  std::shared_ptr<const Pipeline> pipeline;  // none: the conf stays
};

using SessionObserver = std::function<void(int cycle, const Snapshot&, const CycleResult&)>;

struct RunOptions {
  int cycles = 1;           // 0: only the figures, no action runs
  bool until_idle = false;  // until a session has no effect and nothing else is about to change
  VictimFate victims = VictimFate::kGone;
  TimeNs now = kDefaultNow;  // at the first session
  std::int64_t period_ns = 1'000'000'000;
  SnapshotOptions snapshot;  // `now` and what the conf says are overwritten
  CycleOptions cycle;
  std::vector<RunEvent> events;
  SessionObserver on_session;
};

// The scheduler on a simulated cluster, session after session. A queue of the default name is there
// as Volcano makes one at its start.
RunOutcome RunSessions(ClusterObjects objects, std::shared_ptr<const Pipeline> pipeline,
                       RunOptions options);

}  // namespace batholith
