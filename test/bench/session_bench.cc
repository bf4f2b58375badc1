// Whole sessions in memory, timed: one JSON object a line on standard output, everything else on
// standard error.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <boost/program_options.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "actions/builtin.h"
#include "cache/snapshot_builder.h"
#include "conf/default_conf.h"
#include "conf/load.h"
#include "framework/cycle.h"
#include "plugins/builtin.h"
#include "test/bench/generate.h"
#include "test/property/invariants.h"

namespace batholith::bench {
namespace {

namespace po = boost::program_options;

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

// Below this many nodes × pods the exhaustive arg-max is compared too.
constexpr std::size_t kSmall = 2'000'000;

struct Scenario {
  std::string_view name;
  std::string_view what;
  ClusterObjects (*generate)(const Sizes&);  // none: comes later
};

constexpr std::array<Scenario, 12> kScenarios{{
    {"place", "all pods pending at once", GeneratePlace},
    {"idle", "nothing to do", nullptr},
    {"delta", "a few changes", nullptr},
    {"hopeless", "nothing fits", nullptr},
    {"arrive", "one pod at a time, p99 of its latency", nullptr},
    {"reclaim", "a queue takes back what it deserves", nullptr},
    {"reclaimloop", "reclaim until nothing moves", nullptr},
    {"reclaim-large", "one large job reclaims from a full cluster", nullptr},
    {"preempt", "high priority on a full cluster", nullptr},
    {"affinity", "pods with affinity and anti-affinity", nullptr},
    {"spread", "pods with topology spread", nullptr},
    {"trace", "nodes and pods of a trace", nullptr},
}};

struct Settings {
  std::string scenario = "place";
  Sizes sizes;
  std::string conf_file;
  int threads = 1;
  std::size_t repeat = 10;
  std::size_t warmup = 1;
  bool check = true;
};

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Run {
  double snapshot_s = 0;
  double actions_s = 0;
  CycleResult result;
  double Total() const { return snapshot_s + actions_s; }
};

std::unexpected<Error> Usage(std::string message) { return Invalid(std::move(message)); }

Result<Pipeline> LoadPipeline(const std::string& file) {
  std::string text(DefaultConfText());
  if (!file.empty()) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return Usage(fmt::format("cannot read the conf {}", file));
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const Result<SchedulerConf> conf =
      ParseConf(text, file.empty() ? "built-in conf" : file, BuiltinVocabulary());
  if (!conf) return std::unexpected(conf.error());
  return Compile(*conf, BuiltinPlugins(), BuiltinActions());
}

Result<Run> RunOnce(const std::shared_ptr<const ClusterObjects>& objects, const Pipeline& pipeline,
                    int threads) {
  SnapshotOptions options;
  options.default_queue = "queue-0";
  options.now = std::int64_t{1} << 60;
  Run run;
  const Clock::time_point start = Clock::now();
  const auto snapshot = BuildSnapshot(objects, options);
  if (!snapshot) return std::unexpected(snapshot.error());
  run.snapshot_s = SecondsSince(start);
  const Clock::time_point built = Clock::now();
  CycleOptions cycle;
  cycle.threads = threads;
  run.result = RunCycle(**snapshot, pipeline, cycle);
  run.actions_s = SecondsSince(built);
  return run;
}

// Once for a whole measurement: it costs nodes × pods.
std::vector<std::string> CompareWithArgMax(const std::shared_ptr<const ClusterObjects>& objects,
                                           const Pipeline& pipeline, const CycleResult& result) {
  if (objects->nodes.size() * objects->pods.size() > kSmall || !result.pipelined.empty()) return {};
  SnapshotOptions options;
  options.default_queue = "queue-0";
  const auto snapshot = BuildSnapshot(objects, options);
  return snapshot ? property::CheckArgMax(**snapshot, pipeline, result)
                  : std::vector<std::string>();
}

// Of sorted values, nearest rank.
double Quantile(const std::vector<double>& sorted, double q) {
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::int64_t PeakRssBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

boost::json::object Report(const Settings& s, const std::vector<Run>& runs,
                           const std::string& checks) {
  std::vector<double> total;
  std::vector<double> snapshot;
  std::vector<double> actions;
  for (const Run& run : runs) {
    total.push_back(run.Total());
    snapshot.push_back(run.snapshot_s);
    actions.push_back(run.actions_s);
  }
  std::ranges::sort(total);
  const double median = Median(total);
  const CycleResult& last = runs.back().result;
  const std::size_t placed = last.binds.size();
  return {
      {"scenario", s.scenario},
      {"nodes", s.sizes.nodes},
      {"pods", s.sizes.pods},
      {"gang", s.sizes.gang},
      {"classes", s.sizes.classes},
      {"queues", s.sizes.queues},
      {"threads", s.threads},
      {"repeat", s.repeat},
      {"seconds", {{"min", total.front()}, {"median", median}, {"p99", Quantile(total, 0.99)}}},
      {"placed", placed},
      {"evicted", last.evictions.size()},
      {"placements_per_s", median > 0 ? std::llround(static_cast<double>(placed) / median) : 0},
      // RunCycle opens, acts and closes in one call, so all of it counts as actions.
      {"phase_seconds",
       {{"snapshot", Median(snapshot)}, {"open", 0}, {"actions", Median(actions)}, {"close", 0}}},
      {"peak_rss_bytes", PeakRssBytes()},
      {"checks", checks},
  };
}

Result<bool> Measure(const Settings& settings, const Scenario& scenario) {
  const Result<Pipeline> pipeline = LoadPipeline(settings.conf_file);
  if (!pipeline) return std::unexpected(pipeline.error());
  const auto objects = std::make_shared<const ClusterObjects>(scenario.generate(settings.sizes));
  std::vector<Run> runs;
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < settings.warmup + settings.repeat; ++i) {
    Result<Run> run = RunOnce(objects, *pipeline, settings.threads);
    if (!run) return std::unexpected(run.error());
    if (i < settings.warmup) continue;
    if (settings.check && problems.empty()) {
      problems = property::CheckResult(*objects, run->result);
      if (!runs.empty() && run->result != runs.back().result) problems.push_back("two runs differ");
    }
    if (!runs.empty()) runs.back().result = CycleResult();  // only the last one is reported
    runs.push_back(std::move(*run));
  }
  if (settings.check && problems.empty())
    problems = CompareWithArgMax(objects, *pipeline, runs.back().result);
  for (const std::string& problem : problems) std::cerr << "session_bench: " << problem << "\n";
  const std::string checks = !settings.check    ? "off"
                             : problems.empty() ? "ok"
                                                : "failed: " + problems.front();
  std::cout << boost::json::serialize(Report(settings, runs, checks)) << std::endl;
  return problems.empty();
}

struct Ignored {
  std::size_t changes = 0;
  std::size_t quotas = 0;
  std::string trace;
  std::size_t scale = 1;
};

po::options_description Options(Settings& s, Ignored& later) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto number = [](std::size_t& value) {
    return po::value<std::size_t>(&value)->default_value(value);
  };
  po::options_description options("session_bench: whole sessions in memory, timed");
  // clang-format off
  options.add_options()
      ("help,h", "print this")
      ("scenario", po::value(&s.scenario)->default_value(s.scenario), "what to run; see below")
      ("nodes", number(s.sizes.nodes), "nodes of 32 cpu, 128Gi and 110 pods in 3 zones")
      ("pods", number(s.sizes.pods), "pending pods of 1 cpu and 2Gi")
      ("gang", number(s.sizes.gang), "pods of a job, all of them its minimum")
      ("classes", number(s.sizes.classes), "different pod requests")
      ("queues", number(s.sizes.queues), "queues")
      ("namespaces", number(s.sizes.namespaces), "namespaces")
      ("running", number(s.sizes.running), "pods that run already")
      ("changes", number(later.changes), "changes between sessions (scenario delta)")
      ("quotas", number(later.quotas), "elastic quotas")
      ("conf", po::value(&s.conf_file), "scheduler conf; the built-in one if absent")
      ("trace", po::value(&later.trace), "folder of a trace (scenario trace)")
      ("scale", number(later.scale), "copies of the trace")
      ("threads", po::value(&s.threads)->default_value(cores), "worker threads")
      ("seed", po::value(&s.sizes.seed)->default_value(s.sizes.seed), "seed of the generator")
      ("repeat", number(s.repeat), "measured sessions")
      ("warmup", number(s.warmup), "sessions before them")
      ("check", po::value(&s.check)->default_value(true, "on")->implicit_value(true, "on"),
       "check every result: on or off");
  // clang-format on
  return options;
}

std::string ScenarioList() {
  std::string text = "Scenarios:\n";
  for (const Scenario& s : kScenarios) {
    text += fmt::format("  {:<14} {}{}\n", s.name, s.what,
                        s.generate == nullptr ? " (comes later)" : "");
  }
  return text;
}

Result<const Scenario*> Validate(const Settings& s, const Ignored& later) {
  const auto scenario =
      std::ranges::find(kScenarios, std::string_view(s.scenario), &Scenario::name);
  if (scenario == kScenarios.end()) {
    return Usage(fmt::format("unknown scenario \"{}\"\n{}", s.scenario, ScenarioList()));
  }
  if (scenario->generate == nullptr) {
    return Usage(fmt::format("scenario \"{}\" ({}) comes later; today there is \"place\"",
                             s.scenario, scenario->what));
  }
  if (later.changes != 0 || later.quotas != 0 || !later.trace.empty() || later.scale != 1) {
    return Usage("--changes, --quotas, --trace and --scale belong to scenarios that come later");
  }
  const Sizes& z = s.sizes;
  if (z.gang == 0 || z.classes == 0 || z.queues == 0 || z.namespaces == 0) {
    return Usage("--gang, --classes, --queues and --namespaces must be at least 1");
  }
  if (z.running > 0 && z.nodes == 0) return Usage("--running needs nodes");
  if (s.repeat == 0) return Usage("--repeat must be at least 1");
  if (s.threads < 1) return Usage("--threads must be at least 1");
  return &*scenario;
}

int Main(int argc, char** argv) {
  Settings settings;
  Ignored later;
  const po::options_description options = Options(settings, later);
  po::variables_map given;
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(
        po::command_line_parser(argc, argv).options(options).style(style).positional({}).run(),
        given);
    po::notify(given);
  } catch (const po::error& error) {
    std::cerr << "session_bench: " << error.what() << "\n";
    return kExitUsage;
  }
  if (given.contains("help")) {
    std::cout << options << "\n" << ScenarioList();
    return 0;
  }
  const Result<const Scenario*> scenario = Validate(settings, later);
  if (!scenario) {
    std::cerr << "session_bench: " << scenario.error().message << "\n";
    return kExitUsage;
  }
  const Result<bool> good = Measure(settings, **scenario);
  if (!good) {
    std::cerr << "session_bench: " << good.error().message << "\n";
    return kExitUsage;
  }
  return *good ? 0 : kExitFailed;
}

}  // namespace
}  // namespace batholith::bench

int main(int argc, char** argv) { return batholith::bench::Main(argc, argv); }
