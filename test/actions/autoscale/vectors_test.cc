#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <set>

#include "actions/autoscale/model/balance.h"
#include "actions/autoscale/model/estimator.h"
#include "actions/autoscale/model/expander.h"
#include "actions/autoscale/model/utilization.h"
#include "test/actions/autoscale/autoscale_env.h"
#include "test/vectors_folder.h"

// The vectors of scale-up, backoff and scale-down that lie beside the project. Each is one run of
// the program's own functions; a vector that no case takes is a failure.
namespace batholith {
namespace {

class AutoscaleVectors : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(VectorsFolder())) {
      GTEST_SKIP() << "no folder with vectors beside the project";
    }
    file_ = YAML::LoadFile((VectorsFolder() / "slack.yaml").string());
  }

  YAML::Node file_;
};

std::int64_t NumberAt(const YAML::Node& node, const char* key, std::int64_t otherwise = 0) {
  return node[key].IsDefined() && !node[key].IsNull() ? node[key].as<std::int64_t>() : otherwise;
}
ResourceVector PairOf(const YAML::Node& pair) {
  return Amounts(pair[0].as<std::int64_t>(), pair[1].as<std::int64_t>());
}
std::int64_t Ppm(const YAML::Node& fraction) {
  return static_cast<std::int64_t>(fraction.as<double>() * 1e6 + 0.5);
}

// One group, and pods without a place.
TestCluster ClusterOf(const YAML::Node& v) {
  const YAML::Node in = v["group"];
  TestCluster cluster;
  const bool told = in["usable"].IsDefined();
  const bool has_template = !told || !in["usable"].IsNull();
  const ResourceVector usable = told && has_template ? PairOf(in["usable"]) : Amounts(4000, 16384);
  const std::int64_t current = NumberAt(in, "current");
  const std::int64_t target = current + NumberAt(in, "upcoming");
  cluster.AddGroup("g", NumberAt(in, "min"), NumberAt(in, "max"), target, usable);
  if (!has_template) cluster.input.groups[0].node_template.reset();
  for (std::int64_t i = 0; i < current; ++i) {
    const std::size_t n = cluster.AddNode(fmt::format("n{}", i), AutoscaleNode::kNoGroup);
    cluster.input.nodes[n].group = 0;
    cluster.AddPod(n, Amounts(4000, 16384));
  }
  return cluster;
}

void CheckGroup(const YAML::Node& v) {
  TestCluster cluster = ClusterOf(v);
  const std::size_t shape = cluster.AddShape(PairOf(v["unplaced"]["size"]));
  cluster.input.shapes[shape].one_per_node = v["unplaced"]["anti_affinity"].IsDefined();
  cluster.AddDemand(shape, NumberAt(v["unplaced"], "count"), DemandOrigin::kSlack);
  const AutoscaleDecision decision =
      Decide(cluster.Ready(), AutoscaleConf(), LongRunning(kAutoscaleNow), kAutoscaleNow);
  const YAML::Node expect = v["expect"];
  EXPECT_EQ(decision.groups[0].growth.slack, NumberAt(expect, "add"));
  std::int64_t unmet = 0;
  for (const auto& [reason, count] : decision.unmet) {
    unmet += count.slack;
    if (expect["reason"].IsDefined()) {
      EXPECT_EQ(ScaleReasonName(reason), expect["reason"].as<std::string>());
    }
  }
  EXPECT_EQ(unmet, NumberAt(expect, "unmet"));
  if (expect["per_node"].IsDefined()) {
    EXPECT_EQ(
        CountInRoom(cluster.input.shapes[shape], cluster.input.groups[0].node_template->usable),
        NumberAt(expect, "per_node"));
  }
}

void CheckGang(const YAML::Node& v) {
  TestCluster cluster = ClusterOf(v);
  const std::int64_t members = NumberAt(v["gang"], "min_available");
  // So large that one node holds just as many as the vector says.
  const std::size_t shape = cluster.AddShape(Amounts(4000 / NumberAt(v["gang"], "per_node"), 128));
  cluster.AddGang("team/gang", shape, members, members);
  const AutoscaleDecision decision =
      Decide(cluster.Ready(), AutoscaleConf(), LongRunning(kAutoscaleNow), kAutoscaleNow);
  EXPECT_EQ(decision.groups[0].growth.total(), NumberAt(v["expect"], "add"));
  ASSERT_EQ(decision.unmet.size(), 1U);
  EXPECT_EQ(ScaleReasonName(decision.unmet.begin()->first),
            v["expect"]["reason"].as<std::string>());
}

void CheckQueueLimited(const YAML::Node& v) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 0);
  cluster.input.queue_limited_pods = 1;
  const AutoscaleDecision decision =
      Decide(cluster.Ready(), AutoscaleConf(), LongRunning(kAutoscaleNow), kAutoscaleNow);
  EXPECT_EQ(decision.groups[0].growth.total(), NumberAt(v["expect"], "add"));
  ASSERT_EQ(decision.unmet.size(), 1U);
  EXPECT_EQ(ScaleReasonName(decision.unmet.begin()->first),
            v["expect"]["reason"].as<std::string>());
}

void CheckScores(const YAML::Node& v, ExpanderKind kind) {
  std::vector<ScaleOption> options;
  const std::int64_t count = NumberAt(v["pods"], "count");
  const ResourceVector size = PairOf(v["pods"]["size"]);
  for (const auto& group : v["groups"]) {
    ScaleOption option;
    option.group = options.size();
    option.name = group.first.as<std::string>();
    option.nodes = NumberAt(group.second, "add");
    option.helped = count;
    option.capacity = PairOf(group.second["capacity"]);
    for (std::int64_t i = 0; i < count; ++i) option.requested += size;
    if (v["expect"]["scores"].IsDefined()) {
      EXPECT_EQ(WasteOf(option), Ppm(v["expect"]["scores"][option.name]) * 1000) << option.name;
    }
    options.push_back(std::move(option));
  }
  AutoscaleConf conf;
  conf.expanders = {kind};
  EXPECT_EQ(PickOption(options, conf, 0).name, v["expect"]["pick"].as<std::string>());
}

void CheckHelped(const YAML::Node& v) {
  std::vector<ScaleOption> options;
  for (const auto& group : v["helped"]) {
    ScaleOption option;
    option.name = group.first.as<std::string>();
    option.helped = group.second.as<std::int64_t>();
    options.push_back(std::move(option));
  }
  AutoscaleConf conf;
  conf.expanders = {ExpanderKind::kMostPods};
  EXPECT_EQ(PickOption(options, conf, 0).name, v["expect"]["pick"].as<std::string>());
}

void CheckPriority(const YAML::Node& v) {
  AutoscaleConf conf;
  conf.expanders = {ExpanderKind::kPriority};
  for (const auto& level : v["priorities"]) {
    for (const auto& text : level.second.as<std::vector<std::string>>())
      conf.priorities[level.first.as<std::int64_t>()].push_back(Pattern::Of(text).value());
  }
  std::vector<ScaleOption> options;
  for (const auto& group : v["groups"]) {
    ScaleOption option;
    option.name = group.as<std::string>();
    options.push_back(std::move(option));
  }
  std::vector<std::string> left;
  for (const ScaleOption& option : FilterOptions(options, conf, 0)) left.push_back(option.name);
  const YAML::Node expect = v["expect"];
  EXPECT_EQ(left, expect["remaining"].IsDefined()
                      ? expect["remaining"].as<std::vector<std::string>>()
                      : std::vector<std::string>{expect["pick"].as<std::string>()});
}

void CheckBalance(const YAML::Node& v) {
  const auto current = v["current"].as<std::vector<std::int64_t>>();
  const auto max = v["max"].as<std::vector<std::int64_t>>();
  EXPECT_EQ(BalanceSizes(current, max, NumberAt(v, "add")),
            v["expect"].as<std::vector<std::int64_t>>());
}

TEST_F(AutoscaleVectors, scale_up) {
  for (const YAML::Node& v : file_["scale_up"]) {
    const auto id = v["id"].as<std::string>();
    SCOPED_TRACE(id);
    if (v["unplaced"].IsDefined()) {
      CheckGroup(v);
    } else if (v["gang"].IsDefined()) {
      CheckGang(v);
    } else if (v["task"].IsDefined()) {
      CheckQueueLimited(v);
    } else if (v["pods"].IsDefined()) {
      CheckScores(v, id == "U12" ? ExpanderKind::kLeastNodes : ExpanderKind::kLeastWaste);
    } else if (v["helped"].IsDefined()) {
      CheckHelped(v);
    } else if (v["priorities"].IsDefined()) {
      CheckPriority(v);
    } else if (v["current"].IsDefined()) {
      CheckBalance(v);
    } else {
      ADD_FAILURE() << "nothing runs this vector";
    }
  }
}

TEST_F(AutoscaleVectors, backoff) {
  const YAML::Node in = file_["backoff"];
  BackoffConf conf;
  EXPECT_EQ(conf.initial, Seconds(NumberAt(in, "initial_s")));
  EXPECT_EQ(conf.max, Seconds(NumberAt(in, "max_s")));
  EXPECT_EQ(conf.reset, Seconds(NumberAt(in, "reset_after_s")));
  GroupBackoff backoff;
  for (const YAML::Node& step : in["sequence"]) {
    SCOPED_TRACE(fmt::format("failure {}", NumberAt(step, "failure")));
    backoff = WithFailure(backoff, conf, kAutoscaleNow);
    EXPECT_EQ(backoff.failures, NumberAt(step, "failure"));
    EXPECT_EQ(backoff.until - kAutoscaleNow, Seconds(NumberAt(step, "backoff_s")));
  }
  const TimeNs reset = kAutoscaleNow + conf.reset;
  EXPECT_EQ(Refreshed(backoff, conf, reset - 1), backoff);
  EXPECT_EQ(WithFailure(backoff, conf, reset).until - reset, conf.initial);
}

}  // namespace
}  // namespace batholith
