// Whole sessions in memory, timed: one JSON object a line on standard output, everything else on
// standard error.
#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "actions/builtin.h"
#include "conf/compile.h"
#include "conf/default_conf.h"
#include "conf/load.h"
#include "plugins/builtin.h"
#include "test/bench/against.h"
#include "test/bench/measure.h"
#include "test/bench/report.h"
#include "test/bench/settings.h"

namespace batholith::bench {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

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

// The built-in conf with the scenario's actions, a tree of queues where it has one, and elastic
// quotas where there are some.
std::string BuiltInConf(const Scenario& scenario, const Sizes& sizes) {
  std::string text(DefaultConfText());
  if (!scenario.actions.empty())
    text.replace(0, text.find('\n'), fmt::format("actions: \"{}\"", scenario.actions));
  constexpr std::string_view kFlat = "proportion";
  if (scenario.is_tree)
    text.replace(text.find(kFlat), kFlat.size(), "capacity\n    enableHierarchy: true");
  if (!scenario.plugin.empty()) text += fmt::format("  - name: {}\n", scenario.plugin);
  if (sizes.quotas > 0) text += "  - name: elasticquota\n";
  if (sizes.node_groups > 0) AddSlack(sizes.node_groups, text);
  return text;
}

Result<Pipeline> LoadPipeline(const std::string& file, const Scenario& scenario,
                              const Sizes& sizes) {
  std::string text;
  if (file.empty()) {
    text = BuiltInConf(scenario, sizes);
  } else {
    std::ifstream in(file, std::ios::binary);
    if (!in) return Invalid(fmt::format("cannot read the conf {}", file));
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const Result<SchedulerConf> conf =
      ParseConf(text, file.empty() ? "built-in conf" : file, {BuiltinPlugins(), BuiltinActions()});
  if (!conf) return std::unexpected(conf.error());
  return Compile(*conf);
}

// Prints the figures. False: the checks found something.
Result<bool> Run(const Settings& settings) {
  const Scenario& scenario = ScenarioOf(settings);
  const Result<Pipeline> pipeline = LoadPipeline(settings.conf_file, scenario, settings.sizes);
  if (!pipeline) return std::unexpected(pipeline.error());
  const Measurement m = Measure(scenario, settings.sizes, *pipeline, settings.measure);
  for (const std::string& problem : m.problems) std::cerr << "session_bench: " << problem << "\n";
  std::cout << boost::json::serialize(Report(settings, m)) << std::endl;
  return m.problems.empty();
}

int Main(int argc, char** argv) {
  const Result<std::optional<Settings>> settings = ReadSettings(argc, argv);
  if (settings && !*settings) return 0;
  const Result<bool> good = !settings                      ? std::unexpected(settings.error())
                            : (*settings)->against.empty() ? Run(**settings)
                                                           : RunAgainst(**settings);
  if (!good) {
    std::cerr << "session_bench: " << good.error().message << "\n";
    return kExitUsage;
  }
  return *good ? 0 : kExitFailed;
}

}  // namespace
}  // namespace batholith::bench

int main(int argc, char** argv) { return batholith::bench::Main(argc, argv); }
