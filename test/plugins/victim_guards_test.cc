#include <gtest/gtest.h>

#include "plugins/cdp/cdp.h"
#include "plugins/conformance/conformance.h"
#include "plugins/pdb/pdb.h"
#include "plugins/priority/priority.h"
#include "plugins/tdm/tdm.h"
#include "test/plugins/plugin_world.h"

namespace batholith {
namespace {

TEST(Pdb, SparesBeyondTheBudgetButNotPodsWithoutLabels) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  world.AddGroup("a", 1);
  for (int i = 0; i < 3; ++i) world.AddPod("a", "n1").meta.labels["app"] = "web";
  world.AddPod("a", "n1");
  PodDisruptionBudgetRecord& budget = world.objects.disruption_budgets.emplace_back();
  budget.meta.namespace_ = "ns";
  budget.selector = LabelSelector{{{"app", Requirement::Op::kIn, {"web"}}}};
  budget.disruptions_allowed = 2;
  world.Open(PdbPlugin());
  const auto candidates = PluginWorld::Tasks({0, 1, 2, 3});
  const auto& point = world.As<Preemptable>();
  EXPECT_EQ(point.PreemptVictims(TaskIndex(0), candidates), PluginWorld::Tasks({0, 1, 3}));
  world.As<AllocationObserver>().OnDeallocate(TaskIndex(0), NodeIndex(0));
  EXPECT_EQ(point.PreemptVictims(TaskIndex(0), PluginWorld::Tasks({1, 2})),
            PluginWorld::Tasks({1}));
  world.As<AllocationObserver>().OnAllocate(TaskIndex(0), NodeIndex(0));
  EXPECT_EQ(point.PreemptVictims(TaskIndex(0), PluginWorld::Tasks({1, 2})),
            PluginWorld::Tasks({1, 2}));
}

TEST(Cdp, SparesPodsThatWereJustScheduled) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  world.AddGroup("a", 1);
  for (const TimeNs age : {PluginWorld::kHour / 2, PluginWorld::kHour}) {
    PodRecord& pod = world.AddPod("a", "n1");
    pod.meta.labels["volcano.sh/cooldown-time"] = "1h";
    pod.scheduled_at = world.now - age;
  }
  world.Open(CdpPlugin());
  EXPECT_EQ(world.As<Reclaimable>().ReclaimVictims(TaskIndex(0), PluginWorld::Tasks({0, 1})),
            PluginWorld::Tasks({1}));
}

TEST(Conformance, SparesSystemPods) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  world.AddGroup("a", 1);
  world.AddPod("a", "n1").priority_class = "system-node-critical";
  world.AddPod("a", "n1").meta.namespace_ = "kube-system";
  world.AddPod("a", "n1");
  world.Open(ConformancePlugin());
  EXPECT_EQ(world.As<Preemptable>().PreemptVictims(TaskIndex(0), PluginWorld::Tasks({0, 1, 2})),
            PluginWorld::Tasks({2}));
}

TEST(Priority, JobsBetweenJobsPodsInsideOne) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  PriorityClassRecord& high = world.objects.priority_classes.emplace_back();
  high.meta.name = "high";
  high.value = 10;
  world.AddGroup("a", 1);
  world.AddGroup("b", 1).priority_class = "high";
  world.AddPod("a", "n1").priority = 1000;
  world.AddPod("b", "n1").priority = 5;
  world.AddPod("b", "n1").priority = 7;
  world.AddPod("b", "").priority = 6;
  world.Open(PriorityPlugin());
  EXPECT_EQ(world.As<Preemptable>().PreemptVictims(TaskIndex(3), PluginWorld::Tasks({0, 1, 2})),
            PluginWorld::Tasks({0, 1}));
  EXPECT_TRUE(world.As<JobOrder>().CompareJobs(JobIndex(1), JobIndex(0)) < 0);
  EXPECT_TRUE(world.As<JobStarving>().IsJobStarving(JobIndex(1)));
  EXPECT_FALSE(world.As<JobStarving>().IsJobStarving(JobIndex(0)));
}

class TdmNight : public testing::TestWithParam<std::pair<int, bool>> {};

TEST_P(TdmNight, ZoneOverMidnight) {
  PluginWorld world;
  world.now += GetParam().first * PluginWorld::kHour;
  world.AddNode("n1", 8000).meta.labels["volcano.sh/revocable-zone"] = "rz";
  world.AddGroup("a", 1).meta.annotations["volcano.sh/jdb-max-unavailable"] = "50%";
  for (int i = 0; i < 3; ++i) {
    world.AddPod("a", "n1").meta.annotations["volcano.sh/preemptable"] = "true";
  }
  world.Open(TdmPlugin(), {{"tdm.revocable-zone.rz", "22:00-06:00"}});
  const bool open = GetParam().second;
  EXPECT_EQ(world.As<Predicate>().Prepare(TaskIndex(0))->Check(NodeIndex(0)).ok(), open);
  EXPECT_EQ(world.As<VictimTasks>().ShuffleVictims(),
            open ? PluginWorld::Tasks({}) : PluginWorld::Tasks({2, 1}));
}

INSTANTIATE_TEST_SUITE_P(Hours, TdmNight,
                         testing::Values(std::pair(21, false), std::pair(22, true),
                                         std::pair(1, true), std::pair(6, true),
                                         std::pair(7, false)));

}  // namespace
}  // namespace batholith
