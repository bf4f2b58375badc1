#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "test/actions/autoscale/autoscale_env.h"
#include "test/vectors_folder.h"

// The vectors of scale-down that lie beside the project, each as a decision about one node or as
// the verdict on one pod.
namespace batholith {
namespace {

constexpr std::size_t kGpu = 3;
constexpr std::int64_t kWhole = 10'000;  // of cpu (millicores) and memory (MiB) of a node

std::int64_t PartOf(const YAML::Node& fraction) {
  return static_cast<std::int64_t>(fraction.as<double>() * kWhole + 0.5);
}

// Node 0 is the one in question; the one beside it has room for anything and belongs to no group.
struct Trial {
  TestCluster cluster;
  AutoscaleConf conf;
  AutoscaleMemory memory = LongRunning(kAutoscaleNow);
  std::size_t node = 0;

  explicit Trial(std::int64_t size = 1, std::int64_t min = 0) {
    cluster.AddGroup("g", min, 100, size, Amounts(kWhole, kWhole, 110));
    for (std::int64_t i = 0; i < size; ++i) cluster.AddNode(fmt::format("n{}", i), 0);
    const std::size_t other = cluster.AddNode("other", AutoscaleNode::kNoGroup);
    cluster.input.nodes[other].free = Amounts(100 * kWhole, 100 * kWhole, 1000);
    for (std::int64_t i = 0; i < size; ++i) {
      memory.nodes[fmt::format("n{}", i)].unneeded_since = kAutoscaleNow - Minutes(60);
    }
  }
  AutoscaleDecision Decided() { return Decide(cluster.Ready(), conf, memory, kAutoscaleNow); }
  bool IsUnneeded() {
    const std::vector<std::size_t> unneeded = Decided().unneeded;
    return std::ranges::find(unneeded, node) != unneeded.end();
  }
  bool IsRemoved() { return !Decided().removals.empty(); }
};

std::string VerdictOn(const PodDrainFacts& pod) {
  const DrainVerdict verdict = JudgeDrain(pod, ScaleDownConf());
  switch (verdict.kind) {
    case DrainVerdict::Kind::kSkipped:
      return "skipped";
    case DrainVerdict::Kind::kDrainable:
      return "drainable";
    case DrainVerdict::Kind::kWaits:
      return "wait";
    case DrainVerdict::Kind::kBlocked:
      return std::string(KeepReasonName(verdict.reason));
  }
  return "";
}

void CheckUtilization(const YAML::Node& v) {
  Trial trial;
  trial.conf.scale_down.utilization_threshold_ppm =
      static_cast<std::int64_t>(v["threshold"].as<double>() * 1e6);
  const std::int64_t both = v["util"].IsDefined()        ? PartOf(v["util"])
                            : v["util_real"].IsDefined() ? PartOf(v["util_real"])
                                                         : 0;
  trial.cluster.AddPod(0, Amounts(v["cpu"].IsDefined() ? PartOf(v["cpu"]) : both,
                                  v["mem"].IsDefined() ? PartOf(v["mem"]) : both));
  if (v["gpu"].IsDefined()) {
    trial.cluster.input.gpu_dimensions = {kGpu};
    trial.cluster.input.nodes[0].allocatable[kGpu] = kWhole;
    trial.cluster.input.nodes[0].requested[kGpu] = PartOf(v["gpu"]);
  }
  if (v["util_placeholder"].IsDefined()) {
    const std::int64_t held = PartOf(v["util_placeholder"]);
    trial.cluster.AddPlaceholders(0, trial.cluster.AddShape(Amounts(held, held)), 1);
  }
  EXPECT_EQ(trial.IsUnneeded(), v["expect"].as<bool>());
}

void CheckPlaceholders(const YAML::Node& v) {
  Trial trial;
  if (v["real_fit"].IsDefined()) trial.cluster.AddPod(0, Amounts(10, 10));
  trial.cluster.AddPlaceholders(0, trial.cluster.AddShape(Amounts(100, 100)), 1);
  const AutoscaleInput& input = trial.cluster.Ready();
  const bool fit = v["placeholder_fit"].as<bool>();
  trial.cluster.input.shape_fits = [=](std::size_t, std::size_t) { return fit; };
  const AutoscaleDecision decision = Decide(input, trial.conf, trial.memory, kAutoscaleNow);
  if (v["expect"].as<std::string>() == "empty") {
    ASSERT_EQ(decision.removals.size(), 1U);
    EXPECT_EQ(decision.removals[0].name, "n0");
    EXPECT_EQ(decision.removals[0].reason, RemovalReason::kEmpty);
  } else {
    EXPECT_TRUE(decision.removals.empty());
    EXPECT_EQ(decision.blocked.at(KeepReason::kNoPlaceToMoveSlack), 1);
  }
}

void CheckClock(const YAML::Node& v) {
  Trial trial;
  if (v["threshold_s"].IsDefined()) {
    trial.conf.scale_down.unneeded_time = Seconds(v["threshold_s"].as<std::int64_t>());
  }
  if (v["ready"].IsDefined()) trial.cluster.input.nodes[0].ready = v["ready"].as<bool>();
  trial.memory.nodes["n0"].unneeded_since =
      kAutoscaleNow - Seconds(v["unneeded_s"].as<std::int64_t>());
  EXPECT_EQ(trial.IsRemoved(), v["expect"].as<bool>());
}

void CheckCooldown(const YAML::Node& v) {
  Trial trial;
  trial.memory.last_scale_up = kAutoscaleNow - Seconds(v["since_scale_up_s"].as<std::int64_t>());
  const bool allowed = v["expect"].as<std::string>() == "allowed";
  const AutoscaleDecision decision = trial.Decided();
  EXPECT_EQ(decision.removals.size(), allowed ? 1U : 0U);
  EXPECT_EQ(decision.hold, allowed ? ScaleDownHold::kNone : ScaleDownHold::kAfterScaleUp);
}

void CheckMinSize(const YAML::Node& v) {
  Trial trial(v["size"].as<std::int64_t>(), v["min"].as<std::int64_t>());
  const auto going = v["deletions_in_progress"].as<std::int64_t>();
  trial.cluster.input.groups[0].deletions_in_target = going;
  for (std::int64_t i = 0; i < going; ++i) {
    trial.cluster.input.nodes[static_cast<std::size_t>(i)].deleting = true;
  }
  EXPECT_EQ(trial.IsRemoved(), v["expect"].as<bool>());
}

void CheckDisabled(const YAML::Node& v) {
  Trial trial;
  trial.cluster.input.nodes[0].scale_down_disabled = true;
  EXPECT_EQ(trial.IsUnneeded(), v["expect"].as<bool>());
}

void CheckTwoPodsOfOnePdb(const YAML::Node& v) {
  Trial trial;
  for (std::int64_t i = 0; i < v["pods"].as<std::int64_t>(); ++i) {
    trial.cluster.AddPod(0, Amounts(10, 10));
    trial.cluster.pods[0].back().drain.pdbs = {
        {.name = "default/pdb", .allowed = v["pdb_allowed"].as<std::int64_t>()}};
  }
  const AutoscaleDecision decision = trial.Decided();
  ASSERT_EQ(decision.removals.size(), 1U);
  EXPECT_EQ(decision.removals[0].name, "n0");
  EXPECT_EQ(decision.removals[0].risky, v["expect"].as<std::string>() == "risky");
}

PodDrainFacts FactsOf(const YAML::Node& v) {
  PodDrainFacts pod;
  pod.owner_kind = "ReplicaSet";
  if (v["owner"].IsDefined()) pod.owner_kind = v["owner"].IsNull() ? "" : v["owner"].Scalar();
  pod.namespace_ = v["namespace"].IsDefined() ? v["namespace"].Scalar() : "default";
  pod.age = Seconds(v["age_s"].IsDefined() ? v["age_s"].as<std::int64_t>() : 60);
  if (v["safe_to_evict"].IsDefined()) pod.safe_to_evict = v["safe_to_evict"].Scalar();
  if (v["volume"].IsDefined()) {
    const bool memory = v["volume"].Scalar() == "emptyDir(medium=Memory)";
    pod.volumes = {{.name = "scratch",
                    .kind = memory ? PodVolumeFacts::Kind::kEmptyDirInMemory
                                   : PodVolumeFacts::Kind::kEmptyDir}};
    if (v["listed"].IsDefined()) pod.safe_local_volumes = "cache, scratch";
  }
  if (v["pdb_allowed"].IsDefined()) {
    pod.pdbs = {{.name = "default/pdb", .allowed = v["pdb_allowed"].as<std::int64_t>()}};
  }
  if (v["gang"].IsDefined()) {
    pod.gang = {.name = "default/gang",
                .running = v["gang"]["running"].as<std::int64_t>(),
                .min_available = v["gang"]["min_available"].as<std::int64_t>()};
  }
  return pod;
}

// The kind of a Volcano job is not looked up; whether the gang can spare the pod decides.
void CheckVolcanoJob(const YAML::Node& v) {
  PodDrainFacts pod = FactsOf(v);
  pod.owner_kind = "Job";
  EXPECT_EQ(v["expect"].Scalar(), "gang rule decides");
  pod.gang = {.name = "default/gang", .running = 3, .min_available = 3};
  EXPECT_EQ(VerdictOn(pod), "GangWouldBreak");
  pod.gang->running = 4;
  EXPECT_EQ(VerdictOn(pod), "drainable");
}

TEST(AutoscaleScaleDownVectors, each) {
  if (!std::filesystem::exists(VectorsFolder())) {
    GTEST_SKIP() << "no folder with vectors beside the project";
  }
  const YAML::Node file = YAML::LoadFile((VectorsFolder() / "slack.yaml").string());
  for (const YAML::Node& v : file["scale_down"]) {
    SCOPED_TRACE(v["id"].as<std::string>());
    if (v["unneeded_s"].IsDefined()) {
      CheckClock(v);
    } else if (v["threshold"].IsDefined()) {
      CheckUtilization(v);
    } else if (v["placeholder_fit"].IsDefined()) {
      CheckPlaceholders(v);
    } else if (v["since_scale_up_s"].IsDefined()) {
      CheckCooldown(v);
    } else if (v["size"].IsDefined()) {
      CheckMinSize(v);
    } else if (v["annotation"].IsDefined()) {
      CheckDisabled(v);
    } else if (v["pods"].IsDefined()) {
      CheckTwoPodsOfOnePdb(v);
    } else if (v["owner"].IsDefined() && v["owner"].Scalar().starts_with("batch.volcano.sh")) {
      CheckVolcanoJob(v);
    } else {
      EXPECT_EQ(VerdictOn(FactsOf(v)), v["expect"].Scalar());
    }
  }
}

}  // namespace
}  // namespace batholith
