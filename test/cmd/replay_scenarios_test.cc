// Every session of every scenario, of the project and of the sets beside it, dumped and decided
// again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "cmd/session_dump.h"
#include "codec/load.h"
#include "scheduler/compile_conf.h"
#include "sim/scenario/check_scenario.h"
#include "test/codec/same_objects.h"
#include "test/source_dir.h"

namespace batholith {
namespace {

// The conf that session `cycle` of a scenario runs under.
std::string ConfAt(const Scenario& scenario, int cycle) {
  std::string conf = scenario.conf;
  for (int c = 1; c <= cycle; ++c) {
    for (const ScenarioEvent& event : scenario.events) {
      if (event.cycle == c && event.conf) conf = *event.conf;
    }
  }
  return conf;
}

// How many sessions were replayed.
int ReplayScenario(const Scenario& scenario) {
  int sessions = 0;
  RunOptions options;
  options.cycles = scenario.cycles;
  options.until_idle = scenario.until_idle;
  options.snapshot.scheduler_names = scenario.scheduler_names;
  options.snapshot.default_queue = scenario.default_queue;
  options.snapshot.scope = scenario.node_scope;
  SlackReport slack;
  AutoscaleReport autoscale;
  options.cycle.slack_before = &slack;
  options.cycle.autoscale_before = &autoscale;
  const auto again = [&](int cycle, const Snapshot& snapshot, const CycleResult& result) {
    SCOPED_TRACE(scenario.file + ": " + scenario.name + ", session " + std::to_string(cycle));
    std::stringstream text;
    DumpTo(text, ConfAt(scenario, cycle), options)(cycle, snapshot, result);
    DumpReader reader(text, "dump");
    const auto dump = reader.Next();
    ASSERT_TRUE(dump) << dump.error().message;
    ASSERT_TRUE(*dump);
    EXPECT_EQ(FirstDifference(*snapshot.objects, *(*dump)->objects), "");
    const Result<CompiledConf> conf = CompileConf((*dump)->conf, "conf");
    ASSERT_TRUE(conf) << conf.error().message;
    const Result<ReplayedSession> session = Replay(**dump, *conf->pipeline);
    ASSERT_TRUE(session) << session.error().message;
    for (const Difference& d : session->differences) ADD_FAILURE() << d.where;
    slack = result.slack;
    autoscale = result.autoscale;
    ++sessions;
  };
  CheckScenario(scenario, {.on_session = again});
  return sessions;
}

int ReplayFolder(const std::string& folder) {
  int sessions = 0;
  const auto files = ListFiles(folder, /*json=*/false);
  if (!files) return 0;
  for (const std::string& file : *files) {
    const auto scenarios = LoadScenarios(file);
    if (!scenarios) continue;  // no scenario file
    for (const Scenario& scenario : *scenarios) sessions += ReplayScenario(scenario);
  }
  return sessions;
}

TEST(Replay, decides_every_scenario_as_it_was_decided) {
  EXPECT_GT(ReplayFolder(std::string(SourceDir()) + "/test/scenarios"), 300);
}

TEST(Replay, decides_the_shared_scenarios_as_they_were_decided) {
  const char* given = std::getenv("BATHOLITH_SHARED");
  const std::string shared =
      given != nullptr ? std::string(given) : std::string(SourceDir()) + "/../shared";
  if (!std::filesystem::is_directory(shared + "/cases"))
    GTEST_SKIP() << "no folder with shared scenarios beside the project";
  for (const char* set : {"/cases", "/conformance", "/differential"}) {
    EXPECT_GT(ReplayFolder(shared + set), 0) << set;
  }
}

}  // namespace
}  // namespace batholith
