#include "cmd/offline/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <utility>

#include "api/value_text.h"
#include "cmd/session_dump.h"
#include "cmd/terminal.h"
#include "codec/load.h"
#include "conf/default_conf.h"
#include "conf/load.h"
#include "scheduler/compile_conf.h"
#include "scheduler/delay_hints.h"

namespace batholith {
namespace {

// Of very many lines of one kind a person reads the first.
std::vector<std::string> Shortened(const std::vector<std::string>& lines) {
  constexpr std::size_t kShown = 50;
  if (lines.size() <= kShown) return lines;
  std::vector<std::string> out(lines.begin(), lines.begin() + kShown);
  out.push_back("and " + std::to_string(lines.size() - kShown) + " more");
  return out;
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
  options.snapshot.scope = s.node_scope.Read().value_or(NodeScope());
  options.cycle.threads = s.threads;
  return options;
}

// The observer, which may be empty, and a line that says how far it is.
SessionObserver WithProgress(SessionObserver observer, Progress& progress) {
  return [observer = std::move(observer), &progress, binds = std::size_t{0},
          evictions = std::size_t{0}](int cycle, const Snapshot& snapshot,
                                      const CycleResult& result) mutable {
    if (observer) observer(cycle, snapshot, result);
    binds += result.binds.size();
    evictions += result.evictions.size();
    progress.Tell(fmt::format("session {}: {} bound, {} evicted", cycle, binds, evictions));
  };
}

// Of what would have happened later.
std::vector<std::string> DelaysOf(const Pipeline& pipeline, TimeNs first, std::int64_t period_ns,
                                  const RunOutcome& outcome) {
  if (outcome.cycles == 0) return {};
  const std::chrono::nanoseconds length((outcome.cycles - 1) * period_ns);
  return DelayHints(*outcome.objects, pipeline, outcome.last, first + length.count(), length);
}

// What was read, session after session, with the dump where one is wanted.
Result<RunOutcome> RunAll(const Simulation& s, ClusterObjects objects, const CompiledConf& conf,
                          const std::string& conf_text, RunOptions options) {
  std::ofstream dump;
  if (!s.dump.empty()) {
    dump.open(s.dump);
    if (!dump) return Invalid(s.dump + ": cannot be written");
    options.on_session = DumpTo(dump, conf_text, options);
  }
  Progress progress;
  options.on_session = WithProgress(std::move(options.on_session), progress);
  RunOutcome outcome = RunSessions(std::move(objects), conf.pipeline, std::move(options));
  if (!s.dump.empty() && !dump.flush()) return Invalid(s.dump + ": cannot be written");
  return outcome;
}

}  // namespace

void PrintWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& w : Shortened(warnings)) std::cerr << "warning: " << w << "\n";
}

std::string RefusedText(const std::vector<std::string>& refused) {
  std::string message = std::to_string(refused.size()) + " object(s) refused";
  for (const std::string& line : Shortened(refused)) message += "\n  " + line;
  return message;
}

Result<RunOutcome> RunSimulation(const Simulation& s, BesideRun& beside) {
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
  PrintWarnings(conf->warnings);
  Result<Loaded> loaded = LoadManifests(s.files, {.scheduler_names = s.scheduler_names,
                                                  .default_queue = s.default_queue,
                                                  .now = options->now,
                                                  .max_made_pods = s.max_pods,
                                                  .strict = s.strict});
  if (!loaded) return std::unexpected(loaded.error());
  PrintWarnings(loaded->warnings);
  if (!loaded->refused.empty()) return Invalid(RefusedText(loaded->refused));
  beside.left_out = std::move(loaded->left_out);
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
    beside.load = *std::move(generated);
    options->events = beside.load.events;
  }
  const auto [first, period] = std::pair(options->now, options->period_ns);
  Result<RunOutcome> outcome =
      RunAll(s, std::move(loaded->objects), *conf, text, std::move(*options));
  if (outcome) beside.delays = DelaysOf(*conf->pipeline, first, period, *outcome);
  return outcome;
}

}  // namespace batholith
