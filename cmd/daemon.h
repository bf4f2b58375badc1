#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "api/result.h"
#include "client/access/access.h"
#include "client/http/http.h"
#include "client/watch/kube_source.h"
#include "client/watch/server_state.h"
#include "client/write/kube_sink.h"
#include "client/write/leader.h"
#include "client/write/token_reviewer.h"
#include "cmd/autoscale_log.h"
#include "cmd/conf_reload.h"
#include "cmd/eviction_log.h"
#include "cmd/left_out_notice.h"
#include "cmd/listeners.h"
#include "cmd/metrics/metrics.h"
#include "cmd/scheduler_flags.h"
#include "cmd/scheduler_loop.h"
#include "cmd/scheduler_status.h"
#include "cmd/signal_watch.h"

namespace batholith {

// Everything of a running `batholith scheduler`, joined.
class Daemon {
 public:
  // How long the end may take from the signal on, before the process ends without it.
  static constexpr std::chrono::seconds kEndBudget{8};

  // All but `access` outlive it; `watch` has that budget.
  Daemon(const SchedulerFlags& flags, ClusterAccess access, ConfReload& conf, SignalWatch& watch);
  ~Daemon();

  // The status endpoints that the flags ask for. Errors: those of Listeners.
  Result<void> Listen();
  // Until a signal, or until the lease is lost. Returns the exit status.
  int Run();

 private:
  static void Warn(const std::string& message);
  KubeSourceOptions SourceOptions();
  KubeSinkOptions SinkOptions();
  LoopOptions Options();
  bool Leads() const;
  bool MaySchedule();
  void OnLeader(bool leads);
  void OnConf(const ConfReload::Change& change);
  void TellOfUs(const char* reason, const char* action, const std::string& note);
  void TellLeftOut(const char* action);
  void OnFailure(const SessionHealth::Trouble& trouble);
  void MakeBuiltIns();
  void FollowConf();
  void OnSession(const SessionFigures& figures);
  int End();

  const SchedulerFlags& flags_;
  const ConfReload& conf_;
  SignalWatch& watch_;
  Metrics metrics_;
  LeftOutNotice left_out_;
  AutoscaleLog autoscale_log_;
  EvictionLog eviction_log_;
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
