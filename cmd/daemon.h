#pragma once

#include <signal.h>

#include <atomic>
#include <memory>

#include "api/cluster_event.h"
#include "api/result.h"
#include "client/access.h"
#include "client/http.h"
#include "client/kube_sink.h"
#include "client/kube_source.h"
#include "client/leader.h"
#include "client/server_state.h"
#include "client/token_reviewer.h"
#include "cmd/autoscale_log.h"
#include "cmd/conf_reload.h"
#include "cmd/listeners.h"
#include "cmd/scheduler_flags.h"
#include "cmd/scheduler_loop.h"
#include "cmd/scheduler_status.h"
#include "metrics/metrics.h"

namespace batholith {

// The signals that end a daemon: SIGTERM and SIGINT. REQUIRES: blocked before any thread starts.
sigset_t StopSignals();

// Everything of a running `batholith scheduler`, joined.
class Daemon {
 public:
  // `flags` and `conf` outlive it.
  Daemon(const SchedulerFlags& flags, ClusterAccess access, ConfReload& conf);
  ~Daemon();

  // The status endpoints that the flags ask for. Errors: those of Listeners.
  Result<void> Listen();
  // Until a signal, or until the lease is lost. Returns the exit status.
  int Run();

 private:
  KubeSourceOptions SourceOptions() const;
  KubeSinkOptions SinkOptions();
  LoopOptions Options();
  bool Leads() const;
  bool MaySchedule();
  void OnLeader(bool leads);
  void OnConf(const ConfReload::Change& change);
  void WatchWhatConfReads();
  void OnSession(const SessionFigures& figures);
  int End();

  const SchedulerFlags& flags_;
  const ConfReload& conf_;
  Metrics metrics_;
  AutoscaleLog autoscale_log_;
  EventInbox inbox_;
  ServerState state_;
  std::atomic<bool> stop_ = false, lost_ = false;
  bool began_ = false;
  std::unique_ptr<HttpClient> client_;  // ended first: it is what calls back
  KubeSource source_;
  Leader leader_;
  KubeSink sink_;
  SchedulerLoop loop_;
  TokenReviewer reviewer_;
  StatusPorts ports_;
  Listeners listeners_;
};

}  // namespace batholith
