#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <thread>

#include "cmd/commands.h"
#include "cmd/file_times.h"
#include "cmd/indented_json.h"
#include "cmd/load_generator.h"
#include "cmd/offline/simulation.h"
#include "cmd/output.h"
#include "cmd/yaml_text.h"

namespace batholith {
namespace {

int Complain(const std::string& message) {
  std::cerr << "batholith simulate: " << message << "\n";
  return kBadInput;
}

// Whether a pod waits whose scheduler somebody was told of: ours, or one that nobody named.
bool AnythingPending(const RunOutcome& run, const Simulation& s) {
  const auto named = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (const PodRecord& pod : run.objects->pods) {
    if (!pod.node_name.empty() || pod.phase != PodPhase::kPending) continue;
    const bool is_left_to_others = pod.scheduler_name == "default-scheduler" ||
                                   named(s.other_scheduler_names, pod.scheduler_name);
    const bool ours = named(s.scheduler_names, pod.scheduler_name);
    if (ours || !is_left_to_others || s.fail_on_pending == "all") return true;
  }
  return false;
}

// What the input holds and nobody read.
void TellOfTheRest(const std::map<std::string, std::int64_t>& left_out) {
  std::int64_t objects = 0;
  std::string kinds;
  for (const auto& [kind, count] : left_out) {
    objects += count;
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  }
  if (objects > 0)
    std::cerr << "left out: " << objects << " object(s) that nobody reads: " << kinds << "\n";
}

std::string OutputText(const Simulation& s, const RunOutcome& run) {
  if (s.output == "json") return JsonFor(STDOUT_FILENO, OutputDocument(run, s.scheduler_names));
  if (s.output == "yaml") return YamlText(OutputDocument(run, s.scheduler_names));
  return OutputTable(run, {s.all, s.output == "wide", s.scheduler_names});
}

int RunOnce(const Simulation& s) {
  BesideRun beside;
  const Result<RunOutcome> run = RunSimulation(s, beside);
  if (!run) return Complain(run.error().message);
  PrintWarnings(run->warnings);
  PrintWarnings(beside.delays);
  std::cout << OutputText(s, *run);
  const bool is_table = s.output == "table" || s.output == "wide";
  if (!s.load.empty() && is_table) std::cout << "\n" << LoadSummary(beside.load, *run);
  std::cout << std::flush;
  TellOfTheRest(beside.left_out);
  return !s.fail_on_pending.empty() && AnythingPending(*run, s) ? kAnswerIsNo : kDone;
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
