#include <fstream>
#include <iostream>
#include <thread>

#include "api/value_text.h"
#include "cmd/commands.h"
#include "cmd/file_times.h"
#include "cmd/load_generator.h"
#include "cmd/output.h"
#include "cmd/session_dump.h"
#include "cmd/simulate_flags.h"
#include "codec/load.h"
#include "conf/default_conf.h"
#include "conf/load.h"
#include "scheduler/compile_conf.h"

namespace batholith {
namespace {

int Complain(const std::string& message) {
  std::cerr << "batholith simulate: " << message << "\n";
  return kBadInput;
}

// Of very many lines of one kind a person reads the first.
std::vector<std::string> Shortened(const std::vector<std::string>& lines) {
  constexpr std::size_t kShown = 50;
  if (lines.size() <= kShown) return lines;
  std::vector<std::string> out(lines.begin(), lines.begin() + kShown);
  out.push_back("and " + std::to_string(lines.size() - kShown) + " more");
  return out;
}

void Warn(const std::vector<std::string>& warnings) {
  for (const std::string& w : Shortened(warnings)) std::cerr << "warning: " << w << "\n";
}

Result<RunOptions> Options(const Simulation& s) {
  RunOptions options;
  options.until_idle = s.cycles == "idle";
  if (!options.until_idle) {
    const std::optional<int> cycles = ParseNumber<int>(s.cycles);
    if (!cycles || *cycles < 0 || *cycles > 999'999)
      return Invalid("--cycles " + s.cycles + ": must be a number from 0 to 999999, or idle");
    options.cycles = *cycles;
  }
  const auto period = ParseGoDuration(s.period);
  if (!period || period->count() <= 0)
    return Invalid("--period " + s.period + ": must be a duration, such as 1s");
  options.period_ns = period->count();
  if (s.victims == "recreated") options.victims = VictimFate::kRecreated;
  options.snapshot.scheduler_names = s.scheduler_names;
  options.snapshot.default_queue = s.default_queue;
  options.cycle.threads = s.threads;
  return options;
}

Result<RunOutcome> Simulate(const Simulation& s, std::ostream* dump, GeneratedLoad& load) {
  Result<RunOptions> options = Options(s);
  if (!options) return std::unexpected(options.error());
  std::string text(DefaultConfText());
  if (!s.conf_file.empty()) {
    Result<std::string> read = ReadText(s.conf_file, kMaxConfBytes);
    if (!read) return std::unexpected(read.error());
    text = std::move(*read);
  }
  Result<CompiledConf> conf =
      CompileConf(text, s.conf_file.empty() ? "built-in conf" : s.conf_file,
                  s.lenient ? MissingParts::kLeftOut : MissingParts::kRefused);
  if (!conf) return std::unexpected(conf.error());
  Warn(conf->warnings);
  Result<Loaded> loaded = LoadManifests(s.files, {.scheduler_names = s.scheduler_names,
                                                  .default_queue = s.default_queue,
                                                  .now = options->now,
                                                  .max_made_pods = s.max_pods});
  if (!loaded) return std::unexpected(loaded.error());
  Warn(loaded->warnings);
  if (!loaded->refused.empty()) {
    std::string message = std::to_string(loaded->refused.size()) + " object(s) refused";
    for (const std::string& line : Shortened(loaded->refused)) message += "\n  " + line;
    return Invalid(message);
  }
  // A dump of a live cluster is looked at as of its youngest object, so that ages make sense and
  // the same files give the same bytes at any time.
  for (const PodRecord& pod : loaded->objects.pods) {
    options->now = std::max(options->now, pod.meta.creation);
  }
  for (const PodGroupRecord& group : loaded->objects.pod_groups) {
    options->now = std::max(options->now, group.meta.creation);
  }
  if (!s.load.empty()) {
    if (options->until_idle) return Invalid("--load needs --cycles N: how long it is to go on");
    Result<GeneratedLoad> generated = GenerateLoad(s.load, *options, s.max_pods);
    if (!generated) return std::unexpected(generated.error());
    load = *std::move(generated);
    options->events = load.events;
  }
  if (dump != nullptr) options->on_session = DumpTo(*dump, text, *options);
  return RunSessions(std::move(loaded->objects), conf->pipeline, std::move(*options));
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
  const Result<RunOutcome> run = Simulate(s, s.dump.empty() ? nullptr : &dump, load);
  if (!run) return Complain(run.error().message);
  if (!s.dump.empty() && !dump.flush()) return Complain(s.dump + ": cannot be written");
  Warn(run->warnings);
  std::cout << (s.output == "json"   ? OutputJson(*run)
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
