#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "conf/default_conf.h"
#include "framework/cycle.h"
#include "scheduler/compile_conf.h"
#include "test/cache/live_env.h"

namespace batholith {
namespace {

// ---- groups that are made for a pod

CycleResult Saying(JobPhase phase) {
  CycleResult result;
  JobStatus status;
  status.key = "ns/podgroup-u";
  status.phase = phase;
  status.conditions = {{"Unschedulable", "True", "NotEnoughResources", "no room"}};
  result.jobs.push_back(status);
  return result;
}

struct MadeGroup {
  MadeGroup() { Again(); }

  void Again() {
    PodRecord pod = Pod("p", "u");
    pod.group = "podgroup-u";
    cluster.Apply(ObjectPut{std::move(pod)});
    cluster.Apply(ObjectPut{Group("podgroup-u", kKey, /*made=*/true)});
  }
  const PodGroupRecord* group() const { return FindGroup(cluster, kKey); }

  static constexpr const char* kKey = "ns/podgroup-u";
  LiveCluster cluster{SnapshotOptions{}};
};

TEST(LiveCluster, a_made_group_keeps_what_sessions_said_of_it) {
  MadeGroup made;
  made.cluster.Assume(Saying(JobPhase::kInqueue), kNow);
  made.Again();
  ASSERT_NE(made.group(), nullptr);
  EXPECT_EQ(made.group()->phase, JobPhase::kInqueue);
  EXPECT_EQ(made.group()->conditions.size(), 1U);
}

TEST(LiveCluster, a_made_group_gives_way_to_an_object_of_its_name_and_comes_back_after_it) {
  MadeGroup made;
  made.cluster.Assume(Saying(JobPhase::kInqueue), kNow);
  made.cluster.Apply(ObjectPut{Group("podgroup-u", "real", /*made=*/false)});
  EXPECT_EQ(made.group()->meta.uid, "real");
  made.Again();
  EXPECT_EQ(made.group()->meta.uid, "real") << "the pod's events do not bring it back";
  made.cluster.Apply(GoneOf<PodGroupRecord>(MadeGroup::kKey, "real"));
  ASSERT_NE(made.group(), nullptr) << "the pod still waits";
  EXPECT_TRUE(made.group()->made_for_pod);
  made.cluster.Apply(GoneOf<PodGroupRecord>(MadeGroup::kKey, MadeGroup::kKey));
  EXPECT_EQ(made.group(), nullptr);
}

TEST(LiveCluster, a_made_group_that_went_with_its_pod_does_not_come_back) {
  MadeGroup made;
  made.cluster.Apply(ObjectPut{Group("podgroup-u", "real", /*made=*/false)});
  made.cluster.Apply(GoneOf<PodRecord>(kPod, "u"));
  made.cluster.Apply(GoneOf<PodGroupRecord>(MadeGroup::kKey, MadeGroup::kKey));
  ASSERT_NE(made.group(), nullptr) << "the object is somebody else's";
  EXPECT_EQ(made.group()->meta.uid, "real");
  made.cluster.Apply(GoneOf<PodGroupRecord>(MadeGroup::kKey, "real"));
  EXPECT_EQ(made.group(), nullptr);
}

TEST(LiveCluster, a_pod_that_gets_a_group_leaves_the_made_one) {
  MadeGroup made;
  made.cluster.Apply(ObjectPut{Pod("p", "u")});
  EXPECT_EQ(made.group(), nullptr);
  made.cluster.Apply(ObjectPut{Group("g", "real", /*made=*/false)});
  PodRecord moved = Pod("p", "u");
  moved.group = "h";
  made.cluster.Apply(ObjectPut{moved});
  EXPECT_NE(FindGroup(made.cluster, "ns/g"), nullptr) << "an object stays";
}

// ---- sessions

TEST(LiveCluster, nominations_are_sent_for_as_long_as_sessions_reserve) {
  OnePod one;
  CycleResult result;
  result.pipelined.push_back({kPod, "ns/g", "n1", "preempt", true});
  SessionOrders orders = one.cluster.Assume(result, kNow);
  EXPECT_EQ(orders.nominations, (std::map<std::string, std::string>{{kPod, "n1"}}));
  result.pipelined[0].action = "allocate";
  result.pipelined[0].nominates = false;
  orders = one.cluster.Assume(result, kNow);
  EXPECT_EQ(orders.nominations.size(), 1U) << "the job has a reservation still";
  orders = one.cluster.Assume({}, kNow);
  EXPECT_TRUE(orders.nominations.empty());
  one.cluster.Assume(std::move(result), kNow);
  orders = one.cluster.Assume(Binding(kPod, "n1"), kNow);
  EXPECT_TRUE(orders.nominations.empty()) << "it has a node";
}

TEST(LiveCluster, the_default_queue_is_there_until_the_object_of_the_cluster_is) {
  LiveCluster cluster{SnapshotOptions{}};
  ASSERT_TRUE(cluster.Take(kNow));
  ASSERT_EQ(cluster.objects().queues.size(), 1U);
  QueueRecord real;
  real.meta.name = "default";
  real.meta.uid = "real";
  real.weight = 7;
  cluster.Apply(ObjectPut{real});
  ASSERT_TRUE(cluster.Take(kNow));
  ASSERT_EQ(cluster.objects().queues.size(), 1U);
  EXPECT_EQ(cluster.objects().queues[0].weight, 7);
  cluster.Apply(GoneOf<QueueRecord>("default", "real"));
  ASSERT_TRUE(cluster.Take(kNow));
  EXPECT_EQ(cluster.objects().queues.size(), 1U);
}

// Nodes of three sizes, jobs of one to three pods of which not all find room.
std::vector<ClusterEvent> SmallCluster() {
  std::vector<ClusterEvent> events;
  for (int i = 0; i < 6; ++i) {
    NodeRecord node;
    node.meta.name = node.meta.uid = fmt::format("n{}", i);
    node.allocatable = {{"cpu", 1000 * (1 + i % 3)}, {"pods", 10}};
    events.emplace_back(ObjectPut{node});
  }
  for (int i = 0; i < 10; ++i) {
    PodGroupRecord group = Group(fmt::format("g{}", i), fmt::format("g{}", i), false);
    group.min_member = 1 + i % 3;
    group.meta.creation = kNow - (100 - i / 2) * kSecond;
    group.phase = JobPhase::kInqueue;
    for (int k = 0; k < group.min_member; ++k) {
      PodRecord pod = Pod(fmt::format("p{}-{}", i, k), fmt::format("p{}-{}", i, k));
      pod.group = group.meta.name;
      events.emplace_back(ObjectPut{pod});
    }
    events.emplace_back(ObjectPut{group});
  }
  return events;
}

TEST(LiveCluster, a_session_does_not_depend_on_the_order_of_events) {
  const Result<CompiledConf> conf = CompileConf(DefaultConfText(), "built-in");
  ASSERT_TRUE(conf);
  std::optional<CycleResult> first;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::vector<ClusterEvent> events = SmallCluster();
    std::mt19937_64 random(seed);
    std::ranges::shuffle(events, random);
    LiveCluster cluster{SnapshotOptions{}};
    for (const ClusterEvent& event : events) {
      cluster.Apply(event);
      if (random() % 3 != 0) continue;
      // Something that comes and goes leaves a hole for the last one.
      cluster.Apply(ObjectPut{Pod("passer-by", "x")});
      cluster.Apply(ObjectPut{Pod("last", "y")});
      cluster.Apply(GoneOf<PodRecord>("ns/passer-by"));
      cluster.Apply(GoneOf<PodRecord>("ns/last"));
    }
    const auto snapshot = cluster.Take(kNow);
    const CycleResult result = RunCycle(*snapshot, *conf->pipeline);
    if (!first) first = result;
    ASSERT_FALSE(result.binds.empty());
    ASSERT_LT(result.binds.size(), 19U) << "all found room";
    EXPECT_EQ(result, *first);
    const auto again = cluster.Take(kNow);
    EXPECT_EQ(RunCycle(*again, *conf->pipeline), *first);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace batholith
