#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/pipeline.h"

namespace batholith {

// The parts of a session after its opening: the actions, then what is told of them.
enum class CyclePhase : std::uint8_t { kActions, kClose };

struct CycleOptions {
  int threads = 1;          // workers to borrow; the result never depends on it
  bool trace = false;       // fill CycleResult::traces
  bool quota_pods = false;  // fill QuotaStatus::pods
  bool report = true;       // fill the figures and messages (jobs, queues, nodes, pods); off in
                            // benchmarks' inner part
  bool nodes = true;        // among them the figures of each node
  bool verify = false;      // check the invariants of the session after each action
  // The slack of the session before; none: placeholders are placed anew. Outlives the session.
  const SlackReport* slack_before = nullptr;
  // What action autoscale told the session before; none: clocks start.
  const AutoscaleReport* autoscale_before = nullptr;
  // Called when an action has ended, to time it; may be empty.
  std::function<void(std::string_view action)> on_action;
  std::function<void(CyclePhase)> on_phase;  // called when a part begins, to time it; may be empty
};

// One session: opens it on the snapshot, runs the pipeline's actions in order, closes it. Pure: the
// same inputs give the same bytes, for any number of threads. Cost: see test/bench/.
CycleResult RunCycle(const Snapshot& snapshot, const Pipeline& pipeline,
                     const CycleOptions& options = {});

}  // namespace batholith
