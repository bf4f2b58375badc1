#include "cmd/help/command_table.h"

#include <array>

#include "cmd/commands.h"

namespace batholith {
namespace {

constexpr const char* kAlone = "On this machine, without a cluster";
constexpr const char* kDaemon = "In a cluster";
constexpr const char* kKubectl = "On a cluster, as kubectl";

template <CommandPage (*Page)()>
std::vector<CommandPage> One() {
  std::vector<CommandPage> pages;
  pages.push_back(Page());
  return pages;
}

constexpr std::array kCommands{
    Command{"simulate", kAlone, "run the scheduler on manifests and show what it decides and why",
            SimulateCommand, One<SimulatePage>},
    Command{"verify", kAlone, "run scenario files: a cluster, a conf, and what must come out",
            VerifyCommand, One<VerifyPage>},
    Command{"replay", kAlone, "decide the sessions of a dump again and show what differs",
            ReplayCommand, One<ReplayPage>},
    Command{"conf", kAlone, "check a conf; explain plugins and actions with their arguments",
            ConfCommand, ConfPages},
    Command{"scheduler", kDaemon, "schedule the pods of a Kubernetes cluster", SchedulerCommand,
            One<SchedulerPage>},
    Command{"queue", kKubectl, "list, get, explain, create, operate (open, close, weight), delete",
            QueueCommand, QueuePages},
    Command{"job", kKubectl, "list, view, explain (why it waits), suspend, resume, delete",
            JobCommand, JobPages},
    Command{"quota", kKubectl, "list, explain (what it may use, borrows, who waits)", QuotaCommand,
            QuotaPages}};

}  // namespace

std::span<const Command> Commands() { return kCommands; }

}  // namespace batholith
