// Whole sessions in memory, timed: one JSON object a line on standard output, everything else on
// standard error.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/json.hpp>
#include <boost/program_options.hpp>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "actions/builtin.h"
#include "conf/compile.h"
#include "conf/default_conf.h"
#include "conf/load.h"
#include "plugins/builtin.h"
#include "test/bench/measure.h"

namespace batholith::bench {
namespace {

namespace po = boost::program_options;

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

struct Settings {
  std::string scenario = "place";
  Sizes sizes;
  std::string conf_file;
  MeasureOptions measure;
};

std::unexpected<Error> Usage(std::string message) { return Invalid(std::move(message)); }

// Slack of 5 %, and groups that may grow, looked after in each session.
void AddSlack(std::size_t node_groups, std::string& text) {
  text.insert(text.find('"', text.find('"') + 1), ", slack, autoscale");
  text +=
      "configurations:\n- name: slack\n  arguments: {rate: 5%}\n- name: autoscale\n"
      "  arguments:\n    mode: apply\n    interval: 0s\n    nodeGroups:\n";
  for (std::size_t g = 0; g < node_groups; ++g) {
    text += fmt::format("    - {{name: pool-{0}, selector: {{pool: pool-{0}}}, max: 100000}}\n", g);
  }
}

// The built-in conf with the scenario's actions, and with elastic quotas where there are some,
// unless there is a file.
Result<Pipeline> LoadPipeline(const std::string& file, std::string_view actions,
                              const Sizes& sizes) {
  std::string text(DefaultConfText());
  if (!file.empty()) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return Usage(fmt::format("cannot read the conf {}", file));
    text.assign(std::istreambuf_iterator<char>(in), {});
  } else if (!actions.empty()) {
    text.replace(0, text.find('\n'), fmt::format("actions: \"{}\"", actions));
  }
  if (file.empty() && sizes.quotas > 0) text += "  - name: elasticquota\n";
  if (file.empty() && sizes.node_groups > 0) AddSlack(sizes.node_groups, text);
  const Result<SchedulerConf> conf =
      ParseConf(text, file.empty() ? "built-in conf" : file, {BuiltinPlugins(), BuiltinActions()});
  if (!conf) return std::unexpected(conf.error());
  return Compile(*conf);
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

template <typename Part>
double MedianOf(const std::vector<Phases>& runs, Part part) {
  std::vector<double> values;
  for (const Phases& run : runs) values.push_back(std::invoke(part, run));
  return Median(std::move(values));
}

boost::json::object Report(const Settings& s, const Measurement& m, const std::string& checks) {
  std::vector<double> total;
  for (const Phases& run : m.runs) total.push_back(run.Total());
  std::ranges::sort(total);
  const double median = Median(total);
  return {
      {"scenario", s.scenario},
      {"nodes", s.sizes.nodes},
      {"pods", s.sizes.pods},
      {"gang", s.sizes.gang},
      {"classes", s.sizes.classes},
      {"queues", s.sizes.queues},
      {"namespaces", s.sizes.namespaces},
      {"running", s.sizes.running},
      {"changes", s.sizes.changes},
      {"quotas", s.sizes.quotas},
      {"node_groups", s.sizes.node_groups},
      {"threads", s.measure.threads},
      {"repeat", s.measure.repeat},
      {"sessions", m.sessions},
      {"seconds", {{"min", total.front()}, {"median", median}, {"p99", Quantile(total, 0.99)}}},
      {"placed", m.placed},
      {"evicted", m.evicted},
      {"placements_per_s", median > 0 ? std::llround(static_cast<double>(m.placed) / median) : 0},
      {"phase_seconds",
       {{"snapshot", MedianOf(m.runs, &Phases::snapshot)},
        {"open", MedianOf(m.runs, &Phases::open)},
        {"actions", MedianOf(m.runs, &Phases::actions)},
        {"close", MedianOf(m.runs, &Phases::close)}}},
      {"peak_rss_bytes", PeakRssBytes()},
      {"checks", checks},
  };
}

// Prints the figures. False: the checks found something.
Result<bool> Run(const Settings& settings, const Scenario& scenario) {
  const Result<Pipeline> pipeline =
      LoadPipeline(settings.conf_file, scenario.actions, settings.sizes);
  if (!pipeline) return std::unexpected(pipeline.error());
  const Result<Measurement> m = Measure(scenario, settings.sizes, *pipeline, settings.measure);
  if (!m) return std::unexpected(m.error());
  for (const std::string& problem : m->problems) std::cerr << "session_bench: " << problem << "\n";
  const std::string checks = !settings.measure.check ? "off"
                             : m->problems.empty()   ? "ok"
                                                     : "failed: " + m->problems.front();
  std::cout << boost::json::serialize(Report(settings, *m, checks)) << std::endl;
  return m->problems.empty();
}

struct Ignored {
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
      ("changes", number(s.sizes.changes), "pods that come, and that go, between sessions (scenario delta)")
      ("quotas", number(s.sizes.quotas), "elastic quotas in a tree of depth 4")
      ("node-groups", number(s.sizes.node_groups), "groups of nodes; with some, actions slack and autoscale run")
      ("conf", po::value(&s.conf_file), "scheduler conf; the built-in one if absent")
      ("trace", po::value(&later.trace), "folder of a trace (scenario trace)")
      ("scale", number(later.scale), "copies of the trace")
      ("threads", po::value(&s.measure.threads)->default_value(cores), "worker threads")
      ("seed", po::value(&s.sizes.seed)->default_value(s.sizes.seed), "seed of the generator")
      ("repeat", number(s.measure.repeat), "measured sessions")
      ("warmup", number(s.measure.warmup), "sessions before them")
      ("check", po::value(&s.measure.check)->default_value(true, "on")->implicit_value(true, "on"),
       "check every result: on or off");
  // clang-format on
  return options;
}

std::string ScenarioList() {
  std::string text = "Scenarios:\n";
  for (const Scenario& s : Scenarios()) {
    text +=
        fmt::format("  {:<14} {}{}\n", s.name, s.what, s.fill == nullptr ? " (comes later)" : "");
  }
  return text;
}

Result<const Scenario*> Validate(const Settings& s, const Ignored& later) {
  const auto scenario = std::ranges::find(Scenarios(), s.scenario, &Scenario::name);
  if (scenario == Scenarios().end()) {
    return Usage(fmt::format("unknown scenario \"{}\"\n{}", s.scenario, ScenarioList()));
  }
  if (scenario->fill == nullptr) {
    return Usage(fmt::format("scenario \"{}\" ({}) comes later", s.scenario, scenario->what));
  }
  if (!later.trace.empty() || later.scale != 1) {
    return Usage("--trace and --scale belong to scenarios that come later");
  }
  const Sizes& z = s.sizes;
  if (z.gang == 0 || z.classes == 0 || z.queues == 0 || z.namespaces == 0) {
    return Usage("--gang, --classes, --queues and --namespaces must be at least 1");
  }
  if (z.nodes == 0 && (z.running > 0 || s.scenario != "place")) {
    return Usage("--nodes must be at least 1 where pods run");
  }
  if (z.changes != 0 && s.scenario != "delta") return Usage("--changes belongs to scenario delta");
  if (s.measure.repeat == 0) return Usage("--repeat must be at least 1");
  if (s.measure.threads < 1) return Usage("--threads must be at least 1");
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
  if ((*scenario)->shape != nullptr) (*scenario)->shape(settings.sizes);
  const Result<bool> good = Run(settings, **scenario);
  if (!good) {
    std::cerr << "session_bench: " << good.error().message << "\n";
    return kExitUsage;
  }
  return *good ? 0 : kExitFailed;
}

}  // namespace
}  // namespace batholith::bench

int main(int argc, char** argv) { return batholith::bench::Main(argc, argv); }
