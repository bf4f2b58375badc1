#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <iostream>
#include <thread>

#include "api/log.h"
#include "client/kube_sink.h"
#include "client/kube_source.h"
#include "client/leader.h"
#include "cmd/commands.h"
#include "cmd/conf_reload.h"
#include "cmd/scheduler_flags.h"
#include "cmd/scheduler_loop.h"

namespace batholith {
namespace {

int Complain(int status, const std::string& message) {
  std::cerr << "batholith scheduler: " << message << "\n";
  return status;
}

std::string Identity() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return std::string(host) + "_" + std::to_string(getpid()) + "_" +
         std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
}

// Everything of a running daemon. Members are ended in the reverse order, but the client first: it
// is what calls back.
class Daemon {
 public:
  Daemon(const SchedulerFlags& flags, ClusterAccess access, ConfReload& conf)
      : flags_(flags),
        client_(std::make_unique<HttpClient>(std::move(access), Transport(flags))),
        source_(*client_, inbox_, state_, SourceOptions()),
        leader_(*client_,
                {flags.lease_namespace, flags.lease_name, Identity(), flags.lease_duration,
                 flags.renew_deadline, flags.retry_period,
                 [](const std::string& message) { Log(LogLevel::kWarning, message); }},
                [this](bool leads) { OnLeader(leads); }),
        sink_(*client_, source_, state_, inbox_, SinkOptions()),
        loop_(Options(), conf, inbox_, sink_) {}

  ~Daemon() { client_.reset(); }

  int Run() {
    source_.Start();
    if (flags_.leader_elect) leader_.Start();
    // Signals come to this thread alone: all others were started with them blocked.
    std::jthread signals([this] {
      sigset_t set;
      StopSignals(set);
      int signal = 0;
      sigwait(&set, &signal);
      if (!stop_) Log(LogLevel::kInfo, "ending", {{"signal", std::to_string(signal)}});
      stop_ = true;
      inbox_.Wake();
    });
    loop_.Run(stop_);
    kill(getpid(), SIGTERM);  // for the thread above, where it is not what ended the loop
    signals.join();
    return End();
  }

  static void StopSignals(sigset_t& set) {
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
  }

 private:
  static HttpOptions Transport(const SchedulerFlags& flags) {
    HttpOptions options;
    options.qps = flags.qps;
    options.burst = flags.burst;
    options.user_agent = "batholith-scheduler";
    return options;
  }

  KubeSourceOptions SourceOptions() const {
    KubeSourceOptions options;
    options.scheduler_names = flags_.scheduler_names;
    options.default_queue = flags_.default_queue;
    options.warn = [](const std::string& message) { Log(LogLevel::kWarning, message); };
    return options;
  }

  KubeSinkOptions SinkOptions() {
    KubeSinkOptions options;
    options.default_queue = flags_.default_queue;
    options.component = flags_.scheduler_names.front();
    options.instance = Identity();
    options.may_send = [this] { return Leads(); };
    options.warn = [](const std::string& message) { Log(LogLevel::kWarning, message); };
    return options;
  }

  LoopOptions Options() {
    LoopOptions options;
    options.snapshot = {flags_.scheduler_names, flags_.default_queue, 0};
    options.period = flags_.period;
    options.threads = flags_.threads;
    options.may_schedule = [this] { return MaySchedule(); };
    options.on_conf = [](const ConfReload::Change& change) {
      if (change.adopted) Log(LogLevel::kInfo, "conf reloaded", {{"warnings", change.message}});
      if (!change.adopted)
        Log(LogLevel::kError, "conf is bad; the one before goes on", {{"why", change.message}});
    };
    return options;
  }

  bool Leads() const { return !flags_.leader_elect || leader_.Leads(); }

  bool MaySchedule() {
    if (!Leads() || !source_.IsSynced()) return false;
    if (!began_) {
      began_ = true;
      Log(LogLevel::kInfo, "all objects are known; scheduling begins");
      sink_.MakeBuiltIns();
    }
    return true;
  }

  void OnLeader(bool leads) {
    Log(LogLevel::kInfo, leads ? "this replica leads" : "this replica leads no more");
    if (!leads && !stop_) {
      // Started again it follows, with nothing left of what it assumed.
      lost_ = true;
      stop_ = true;
    }
    inbox_.Wake();
  }

  // What is under way is answered, then the lease is handed back.
  int End() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!lost_ && !sink_.IsIdle() && std::chrono::steady_clock::now() < deadline)
      inbox_.TakeUntil(
          std::min(deadline, std::chrono::steady_clock::now() + std::chrono::milliseconds(50)));
    if (flags_.leader_elect && !lost_) {
      auto released = std::make_shared<std::promise<void>>();
      leader_.Release([released] { released->set_value(); });
      released->get_future().wait_for(std::chrono::seconds(6));
    }
    if (lost_) return Complain(kAnswerIsNo, "the lease was lost");
    Log(LogLevel::kInfo, "ended");
    return kDone;
  }

  const SchedulerFlags& flags_;
  EventInbox inbox_;
  ServerState state_;
  std::atomic<bool> stop_ = false, lost_ = false;
  bool began_ = false;
  std::unique_ptr<HttpClient> client_;
  KubeSource source_;
  Leader leader_;
  KubeSink sink_;
  SchedulerLoop loop_;
};

}  // namespace

int SchedulerCommand(const std::vector<std::string>& arguments) {
  const ParsedSchedulerFlags parsed = ParseSchedulerFlags(arguments);
  if (parsed.stop) return parsed.status;
  const SchedulerFlags& flags = parsed.flags;
  if (flags.verbosity >= 4) SetLogLevel(LogLevel::kDebug);
  for (const std::string& line : flags.ignored) Log(LogLevel::kWarning, line);
  ConfReload conf(flags.scheduler_conf);
  const auto loaded = conf.Load(flags.no_default_conf);
  if (!loaded) return Complain(kBadInput, loaded.error().message);
  if (!loaded->adopted)
    Log(LogLevel::kError, "conf is bad; the built-in one is used", {{"why", loaded->message}});
  if (loaded->adopted && !loaded->message.empty()) Log(LogLevel::kWarning, loaded->message);
  Result<ClusterAccess> access = LoadAccess(flags.access);
  if (!access) return Complain(kNoWorld, access.error().message);
  Log(LogLevel::kInfo, "starting", {{"server", access->server}, {"access", access->origin}});
  sigset_t set;
  Daemon::StopSignals(set);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
  Daemon daemon(flags, std::move(*access), conf);
  return daemon.Run();
}

}  // namespace batholith
