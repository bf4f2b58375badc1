#include <array>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/commands.h"
#include "conf/message.h"

namespace {

constexpr const char* kHelp = R"(Batholith, a batch scheduler for Kubernetes

  batholith simulate   run the scheduler on manifests and show what it decides and why
  batholith scheduler  schedule the pods of a Kubernetes cluster
  batholith verify     run scenario files: a cluster, a conf, and what must come out
  batholith replay     decide the sessions of a dump again and show what differs

batholith COMMAND --help says more. Exit status: 0 done, 1 the answer is no, 2 bad input, 3 no API server, 70 a bug of ours.
)";

int Run(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    std::cout << kHelp;
    return words.empty() ? batholith::kBadInput : batholith::kDone;
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (words[0] == "simulate") return batholith::SimulateCommand(rest);
  if (words[0] == "scheduler") return batholith::SchedulerCommand(rest);
  if (words[0] == "verify") return batholith::VerifyCommand(rest);
  if (words[0] == "replay") return batholith::ReplayCommand(rest);
  static constexpr std::array<std::string_view, 5> kCommands{"simulate", "scheduler", "verify",
                                                             "replay", "help"};
  std::cerr << "batholith: unknown command " << words[0]
            << batholith::DidYouMean(words[0], kCommands) << "\nSee batholith --help\n";
  return batholith::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    std::cerr << "batholith: a bug of ours: " << e.what() << "\n";
    return batholith::kOurBug;
  }
}
