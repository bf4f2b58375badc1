#include <gtest/gtest.h>

#include <string>

#include "cache/snapshot_builder.h"
#include "framework/cycle.h"
#include "scheduler/compile_conf.h"

namespace batholith {
namespace {

// An annotation holds 256 KiB, so a path may have 100,000 levels: more than a stack has frames.
TEST(Drf, a_hierarchy_may_be_deeper_than_the_stack) {
  std::string path = "root";
  for (int level = 0; level < 100'000; ++level) path += "/x";
  auto objects = std::make_shared<ClusterObjects>();
  QueueRecord& queue = objects->queues.emplace_back();
  queue.meta.name = "default";
  queue.meta.annotations = {{"volcano.sh/hierarchy", path}};
  NodeRecord& node = objects->nodes.emplace_back();
  node.meta.name = "n1";
  node.allocatable = {{"cpu", 1000}, {"pods", 10}};
  PodGroupRecord& group = objects->pod_groups.emplace_back();
  group.meta.name = "g";
  group.phase = JobPhase::kInqueue;
  PodRecord& pod = objects->pods.emplace_back();
  pod.meta.name = "p";
  pod.group = "g";
  pod.scheduler_name = "volcano";
  pod.request = {{"cpu", 1000}};
  pod.constraints = std::make_shared<PodConstraints>();
  pod.meta.namespace_ = group.meta.namespace_ = "a";
  const auto conf = CompileConf(
      "actions: allocate\ntiers:\n- plugins: [{name: gang}, {name: drf, enableHierarchy: true}, "
      "{name: predicates}]\n",
      "conf");
  ASSERT_TRUE(conf) << conf.error().message;
  const CycleResult result = RunCycle(*BuildSnapshot(objects, {}), *conf->pipeline);
  EXPECT_EQ(result.binds.size(), 1U);
}

}  // namespace
}  // namespace batholith
