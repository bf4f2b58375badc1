#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "api/orders.h"
#include "cache/live_cluster.h"
#include "client/watch/event_inbox.h"
#include "cmd/cluster_notices.h"
#include "cmd/conf_reload.h"
#include "cmd/dump_taker.h"
#include "cmd/gathering.h"
#include "cmd/metrics/metrics.h"
#include "cmd/session_health.h"
#include "framework/cycle.h"
#include "framework/last_decision.h"

namespace batholith {

struct LoopOptions {
  SnapshotOptions snapshot;
  std::chrono::nanoseconds period{1'000'000'000};
  int threads = 1;
  std::function<bool()> may_schedule;  // all objects are known, and this replica leads
  std::function<void(const SessionFigures&)> on_session;
  std::function<void()> on_still;  // for a session that is not run, see LastDecision
  std::function<void(const ConfReload::Change&)> on_conf;
  // Once of each: what in the cluster cannot work under the conf.
  std::function<void(const std::string&)> on_hint;
  std::function<void(const SessionHealth::Trouble&)> on_failure;  // of each session that failed
  std::function<CycleResult(const Snapshot&, const Pipeline&, const CycleOptions&)> decide =
      RunCycle;
};

// Session after session on a live cluster: wakes when something changes, waits a moment for what
// comes with it, and at the latest after the period. What a session decides is sent in the
// background, and the next one takes it for done.
class SchedulerLoop {
 public:
  SchedulerLoop(LoopOptions options, ConfReload& conf, EventInbox& inbox, OrderSink& sink);

  // On the caller's thread, until `stop`; whoever sets it wakes the inbox.
  void Run(const std::atomic<bool>& stop);

  // From any thread.
  std::shared_ptr<const CycleResult> last() const {  // none before the first session
    const std::lock_guard lock(mutex_);
    return last_;
  }
  SessionHealth::Trouble trouble() const { return health_.trouble(); }
  std::string conf_text() const {
    const std::lock_guard lock(mutex_);
    return conf_text_;
  }
  // When the loop last came round.
  std::chrono::steady_clock::time_point alive() const {
    return Clock::time_point(Clock::duration(alive_));
  }
  // Calls `done` with the next session, which begins at once.
  void AskForDump(DumpTaker::Done done);

 private:
  using Clock = std::chrono::steady_clock;

  void Session();
  bool IsStill() const {
    return decision_.StandsAt(cluster_.version()) && failures_.empty() && !hints_due_ &&
           !dumps_.is_asked() && Clock::now() < whole_due_;
  }
  bool Take(std::vector<ClusterEvent> events);
  void OnFailure(const SessionHealth::Trouble& trouble);
  void LookAtConf();
  void KeepForDump(const Snapshot& snapshot, const CycleOptions& cycle);

  LoopOptions options_;
  ConfReload& conf_;
  EventInbox& inbox_;
  OrderSink& sink_;
  LiveCluster cluster_;
  Gathering gathering_;
  std::string name_;  // of this run: begins each session's
  std::uint64_t sessions_ = 0;
  std::atomic<Clock::rep> alive_ = Clock::now().time_since_epoch().count();
  bool hints_due_ = false;              // quotas or the conf changed
  std::vector<ScaleFailure> failures_;  // that no session has been told
  ClusterNotices notices_;
  bool refused_ = false;  // an order of the last session was not done
  DumpTaker dumps_;
  LastDecision decision_;
  Clock::time_point whole_due_;  // of a session although nothing has changed
  SessionHealth health_;

  mutable std::mutex mutex_;
  std::shared_ptr<const CycleResult> last_;
  std::string conf_text_;
};

}  // namespace batholith
