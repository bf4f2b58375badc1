#include <signal.h>

#include <iostream>

#include "api/log.h"
#include "cmd/commands.h"
#include "cmd/conf_reload.h"
#include "cmd/daemon.h"
#include "cmd/scheduler_flags.h"

namespace batholith {
namespace {

int Complain(int status, const std::string& message) {
  std::cerr << "batholith scheduler: " << message << "\n";
  return status;
}

}  // namespace

int SchedulerCommand(const std::vector<std::string>& arguments) {
  const ParsedSchedulerFlags parsed = ParseSchedulerFlags(arguments);
  if (parsed.stop) return parsed.status;
  const SchedulerFlags& flags = parsed.flags;
  SignalWatch watch(Daemon::kEndBudget);  // before what may hang, and before any thread
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
  signal(SIGPIPE, SIG_IGN);
  Daemon daemon(flags, std::move(*access), conf, watch);
  const Result<void> listening = daemon.Listen();
  if (!listening) {
    const bool bad_input = listening.error().code == ErrorCode::kInvalid;
    return Complain(bad_input ? kBadInput : kNoWorld, listening.error().message);
  }
  return daemon.Run();
}

}  // namespace batholith
