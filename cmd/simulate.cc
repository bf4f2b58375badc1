#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <thread>

#include "cmd/commands.h"
#include "cmd/file_times.h"
#include "cmd/load_generator.h"
#include "cmd/offline/simulation.h"
#include "cmd/output.h"
#include "cmd/terminal.h"

namespace batholith {
namespace {

int Complain(const std::string& message) {
  std::cerr << "batholith simulate: " << message << "\n";
  return kBadInput;
}

bool AnythingPending(const RunOutcome& run, const Simulation& s) {
  for (const PodRecord& pod : run.objects->pods) {
    const bool ours =
        std::ranges::find(s.scheduler_names, pod.scheduler_name) != s.scheduler_names.end();
    if (ours && pod.node_name.empty() && pod.phase == PodPhase::kPending) return true;
  }
  return false;
}

int RunOnce(const Simulation& s) {
  std::ofstream dump;
  if (!s.dump.empty()) {
    dump.open(s.dump);
    if (!dump) return Complain(s.dump + ": cannot be written");
  }
  GeneratedLoad load;
  const Result<RunOutcome> run = RunSimulation(s, s.dump.empty() ? nullptr : &dump, load);
  if (!run) return Complain(run.error().message);
  if (!s.dump.empty() && !dump.flush()) return Complain(s.dump + ": cannot be written");
  PrintWarnings(run->warnings);
  std::cout << (s.output == "json"   ? OutputJson(*run, IsTerminal(STDOUT_FILENO))
                : s.output == "yaml" ? OutputYaml(*run)
                                     : OutputTable(*run, {s.all, s.output == "wide"}));
  const bool is_table = s.output == "table" || s.output == "wide";
  if (!s.load.empty() && is_table) std::cout << "\n" << LoadSummary(load, *run);
  std::cout << std::flush;
  return s.fail_on_pending && AnythingPending(*run, s) ? kAnswerIsNo : kDone;
}

std::vector<std::string> WatchedPaths(const Simulation& s) {
  std::vector<std::string> paths = s.files;
  if (!s.conf_file.empty()) paths.push_back(s.conf_file);
  return paths;
}

}  // namespace

int SimulateCommand(const std::vector<std::string>& arguments) {
  const ParsedSimulation parsed = ParseSimulation(arguments);
  if (parsed.stop) return parsed.status;
  if (!parsed.complaint.empty()) return Complain(parsed.complaint);
  const Simulation& s = parsed.simulation;
  if (!s.watch) return RunOnce(s);
  while (true) {
    const FileTimes before = TimesOf(WatchedPaths(s));  // what changes during the run counts, too
    RunOnce(s);
    while (TimesOf(WatchedPaths(s)) == before)
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::cerr << "batholith simulate: a file changed, running again\n";
  }
}

}  // namespace batholith
