#include "cmd/daemon.h"

#include <chrono>
#include <future>
#include <iostream>
#include <string>
#include <utility>

#include "api/log.h"
#include "cmd/commands.h"
#include "cmd/own_event.h"
#include "cmd/version.h"
#include "cmd/wanted_kinds.h"
#include "plugins/elasticquota/options.h"
#include "plugins/predicates/options.h"

namespace batholith {
namespace {

// An end in order takes less than the ten seconds that nobody minds, and much less than the thirty
// after which Kubernetes kills: what is under way, then the lease, then all else.
constexpr std::chrono::seconds kForOrders{4}, kForLease{6};

HttpOptions Transport(const SchedulerFlags& flags, const SignalWatch& watch) {
  HttpOptions options;
  options.stop_plugin = watch.end_of_process();
  options.qps = flags.qps;
  options.burst = flags.burst;
  options.user_agent = "batholith-scheduler";
  return options;
}

}  // namespace

Daemon::Daemon(const SchedulerFlags& flags, ClusterAccess access, ConfReload& conf,
               SignalWatch& watch)
    : flags_(flags),
      conf_(conf),
      watch_(watch),
      left_out_(metrics_),
      client_(std::make_unique<HttpClient>(std::move(access), Transport(flags, watch))),
      source_(*client_, inbox_, state_, SourceOptions()),
      leader_(*client_,
              {flags.lease_namespace, flags.lease_name, OwnIdentity(), flags.lease_duration,
               flags.renew_deadline, flags.retry_period, Warn},
              [this](bool leads) { OnLeader(leads); }),
      sink_(*client_, source_, state_, inbox_, SinkOptions()),
      loop_(Options(), conf, inbox_, sink_),
      reviewer_(*client_, {.warn = Warn}),
      ports_{&loop_,
             &source_,
             &metrics_,
             &left_out_,
             client_->missing_rules(),
             [this] { return Leads(); },
             flags.metrics_authentication ? &reviewer_ : nullptr} {
  const BuildFacts& build = OwnBuild();
  metrics_.SetBuild(build.version, build.commit, build.build_type, build.compiler);
  left_out_.Now(conf.left_out());
}

// First those who ask the client for something.
Daemon::~Daemon() {
  listeners_ = {};
  client_.reset();
}

Result<void> Daemon::Listen() {
  auto listeners = batholith::Listen(flags_, ports_);
  if (!listeners) return std::unexpected(listeners.error());
  listeners_ = *std::move(listeners);
  return {};
}

int Daemon::Run() {
  watch_.AskForEnd([this](int signal) {
    stop_ = true;
    inbox_.Wake();
    LogWithoutWaiting(LogLevel::kInfo, "ending", {{"signal", std::to_string(signal)}});
  });
  source_.Start();
  FollowConf();
  if (flags_.leader_elect) leader_.Start();
  loop_.Run(stop_);
  watch_.Begin();
  return End();
}

bool Daemon::Leads() const { return !flags_.leader_elect || leader_.Leads(); }

bool Daemon::MaySchedule() {
  if (!Leads() || !source_.IsSynced()) return false;
  if (!began_) {
    began_ = true;
    Log(LogLevel::kInfo, "all objects are known; scheduling begins");
    TellLeftOut("Loading");
    MakeBuiltIns();
    sink_.ObeyCommands();
  }
  return true;
}

void Daemon::OnLeader(bool leads) {
  Log(LogLevel::kInfo, leads ? "this replica leads" : "this replica leads no more");
  if (!leads && !stop_) {
    // Started again it follows, with nothing left of what it assumed.
    lost_ = true;
    stop_ = true;
  }
  inbox_.Wake();
}

void Daemon::OnConf(const ConfReload::Change& change) {
  metrics_.CountConfReload(change.adopted);
  FollowConf();
  if (change.adopted) {
    Log(LogLevel::kInfo, "conf reloaded", {{"warnings", change.message}});
    left_out_.Now(conf_.left_out());
    if (began_) MakeBuiltIns();
    return TellLeftOut("Reloading");
  }
  Log(LogLevel::kError, "conf is bad; the one before goes on", {{"why", change.message}});
  TellOfUs("BadConf", "Reloading", "conf is bad; the one before goes on: " + change.message);
}

void Daemon::TellOfUs(const char* reason, const char* action, const std::string& note) {
  sink_.Tell(OwnWarning(flags_.lease_namespace, flags_.lease_name, reason, action, note));
}

void Daemon::TellLeftOut(const char* action) {
  const std::string note = left_out_.Sentence();
  if (!note.empty()) TellOfUs("ConfLeftOut", action, note);
}

void Daemon::OnFailure(const SessionHealth::Trouble& trouble) {
  metrics_.CountSessionFailure();
  if (!trouble.is_new) return;
  TellOfUs("SessionFailed", "Scheduling", "a session failed and decided nothing: " + trouble.why);
}

// Koordinator's quotas stand where the conf says.
void Daemon::MakeBuiltIns() {
  sink_.MakeBuiltIns(QuotaOptionsOf(conf_.pipeline()).group_namespace);
}

// What another conf read before is watched on: it costs little, and comes back often.
void Daemon::FollowConf() {
  sink_.SetVolumePatience(VolumePatienceOf(conf_.pipeline()));
  for (const KindUse use : WantedKinds(conf_.pipeline())) source_.Want(use);
  if (flags_.node_scope.sharding != Sharding::kNone) source_.Want(KindUse::kShards);
}

void Daemon::OnSession(const SessionFigures& figures) {
  metrics_.ObserveSession(figures);
  metrics_.CountRefusals(sink_.refusals());
  if (figures.report != nullptr) autoscale_log_.Tell(figures.report->autoscale);
  if (figures.report != nullptr) eviction_log_.Tell(*figures.report, metrics_);
}

// What is under way is answered, then the lease is handed back.
int Daemon::End() {
  using Clock = std::chrono::steady_clock;
  watch_.WaitsFor("the answers to what was sent");
  if (!lost_) sink_.Flush();
  const auto deadline = watch_.began() + kForOrders;
  while (!lost_ && !sink_.IsIdle() && Clock::now() < deadline)
    inbox_.TakeUntil(std::min(deadline, Clock::now() + std::chrono::milliseconds(50)));
  if (flags_.leader_elect && !lost_) {
    watch_.WaitsFor("the lease");
    auto released = std::make_shared<std::promise<void>>();
    leader_.Release([released] { released->set_value(); });
    released->get_future().wait_until(watch_.began() + kForLease);
  }
  watch_.WaitsFor("the end of connections");
  if (lost_) {
    Log(LogLevel::kError, "the lease was lost");
    return kAnswerIsNo;
  }
  Log(LogLevel::kInfo, "ended");
  return kDone;
}

}  // namespace batholith
