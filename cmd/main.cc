#include <array>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "api/did_you_mean.h"
#include "cmd/commands.h"
#include "cmd/console.h"

namespace {

constexpr const char* kHelp = R"(Batholith, a batch scheduler for Kubernetes

On this machine, without a cluster:
  batholith simulate   run the scheduler on manifests and show what it decides and why
  batholith verify     run scenario files: a cluster, a conf, and what must come out
  batholith replay     decide the sessions of a dump again and show what differs
  batholith conf       explain the plugins and actions of a conf, with their arguments

In a cluster:
  batholith scheduler  schedule the pods of a Kubernetes cluster

On a cluster, as kubectl:
  batholith queue      list, get, create, operate (open, close, weight), delete
  batholith job        list, view, explain (why it waits), suspend, resume, delete
  batholith quota      list, explain (what it may use, borrows, who waits)

batholith COMMAND --help says more. Exit status: 0 done, 1 the answer is no, 2 bad input, 3 no API server, 4 told to end
and something was cut short, 70 a bug of ours.
)";

struct Command {
  const char* name;
  int (*run)(const std::vector<std::string>&);
};

constexpr std::array kCommands{Command{"simulate", batholith::SimulateCommand},
                               Command{"scheduler", batholith::SchedulerCommand},
                               Command{"verify", batholith::VerifyCommand},
                               Command{"replay", batholith::ReplayCommand},
                               Command{"conf", batholith::ConfCommand},
                               Command{"queue", batholith::QueueCommand},
                               Command{"job", batholith::JobCommand},
                               Command{"quota", batholith::QuotaCommand}};

int Run(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    std::cout << kHelp;
    return words.empty() ? batholith::kBadInput : batholith::kDone;
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  std::vector<std::string_view> known{"help"};
  for (const Command& command : kCommands) {
    if (words[0] == command.name) return command.run(rest);
    known.emplace_back(command.name);
  }
  std::cerr << "batholith: unknown command " << words[0] << batholith::DidYouMean(words[0], known)
            << "\nSee batholith --help\n";
  return batholith::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  const batholith::SafeConsole console;
  try {
    return Run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    std::cerr << "batholith: a bug of ours: " << e.what() << "\n";
    return batholith::kOurBug;
  }
}
