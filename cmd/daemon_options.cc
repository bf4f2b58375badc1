// What the parts of a daemon are told, and whom they tell.
#include <string>
#include <utility>

#include "api/log.h"
#include "cmd/daemon.h"
#include "cmd/own_event.h"

namespace batholith {

void Daemon::Warn(const std::string& message) { Log(LogLevel::kWarning, message); }

KubeSourceOptions Daemon::SourceOptions() {
  KubeSourceOptions options;
  options.scheduler_names = flags_.scheduler_names;
  options.default_queue = flags_.default_queue;
  options.warn = Warn;
  options.note = [](const std::string& message) { Log(LogLevel::kInfo, message); };
  options.tell = [this](ObjectEvent event) {
    if (Leads()) sink_.Tell(std::move(event));
  };
  return options;
}

KubeSinkOptions Daemon::SinkOptions() {
  KubeSinkOptions options;
  options.default_queue = flags_.default_queue;
  options.component = flags_.scheduler_names.front();
  options.instance = OwnIdentity();
  options.may_send = [this] { return Leads(); };
  options.warn = Warn;
  options.bind_took = [this](double seconds) { metrics_.ObserveBindLatency(seconds); };
  options.scale_up_failed = [this](const std::string& group, const char* cause) {
    metrics_.CountScaleUpFailure(group, cause);
  };
  return options;
}

LoopOptions Daemon::Options() {
  LoopOptions options;
  options.snapshot = {flags_.scheduler_names, flags_.default_queue, 0};
  options.snapshot.scope = flags_.node_scope;
  options.period = flags_.period;
  options.threads = flags_.threads;
  options.may_schedule = [this] { return MaySchedule(); };
  options.on_conf = [this](const ConfReload::Change& change) { OnConf(change); };
  options.on_hint = [this](const std::string& hint) { TellOfUs("ConfHint", "Scheduling", hint); };
  options.on_failure = [this](const SessionHealth::Trouble& t) { OnFailure(t); };
  options.on_still = [this] { metrics_.CountStillSession(); };
  options.on_session = [this](const SessionFigures& figures) { OnSession(figures); };
  return options;
}

}  // namespace batholith
