#include "actions/autoscale/autoscale.h"

#include <gmock/gmock.h>

#include "verify/run.h"

namespace batholith {
namespace {

constexpr const char* kConf = R"(
actions: "autoscale"
tiers: [{plugins: [{name: gang}, {name: predicates}, {name: binpack}]}]
configurations:
- name: autoscale
  arguments:
    mode: apply
    scaleDown: {unneededTime: 0s, unreadyTime: 0s, delayAfterAdd: 0s}
    nodeGroups: [{name: g, selector: {pool: g}, min: 0, max: 9}]
)";

NodeRecord NodeOf(const char* name, const char* pool) {
  NodeRecord node;
  node.meta.name = name;
  node.meta.labels = {{"pool", pool}};
  node.meta.creation = 1;
  node.allocatable = {{"cpu", 4000}, {"memory", 1LL << 33}, {"pods", 110}};
  return node;
}

PodRecord PodOn(const char* node) {
  PodRecord pod;
  pod.meta.name = "p";
  pod.meta.namespace_ = "shop";
  pod.meta.owner_kind = "ReplicaSet";
  pod.meta.owner_name = "web";
  pod.node_name = node;
  pod.phase = PodPhase::kRunning;
  pod.request = {{"cpu", 100}};
  pod.constraints = std::make_shared<PodConstraints>();
  return pod;
}

// The second session, 10 s after the first, takes three nodes of the group: n1 has no pods, n2 none
// either and is not ready, n3 is used by 100m of 4000m, which have room on n4 of no group.
TEST(Autoscale, orders_say_why_a_node_goes) {
  ClusterObjects objects;
  objects.nodes = {NodeOf("n1", "g"), NodeOf("n2", "g"), NodeOf("n3", "g"), NodeOf("n4", "other")};
  objects.nodes[1].ready = false;
  objects.pods = {PodOn("n3")};
  std::vector<NodeGroupOrder> orders;
  RunOptions options;
  options.cycles = 2;
  options.period_ns = 10'000'000'000;
  options.on_session = [&](int, const Snapshot&, const CycleResult& result) {
    orders.insert(orders.end(), result.autoscale.orders.begin(), result.autoscale.orders.end());
  };
  const auto outcome =
      RunSessions(std::move(objects), CompileConf(kConf, "conf")->pipeline, std::move(options));
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_EQ(orders[0].from, 3);
  EXPECT_EQ(orders[0].to, 0);
  EXPECT_THAT(orders[0].removals, ::testing::ElementsAre("n1", "n2", "n3"));
  EXPECT_THAT(orders[0].removal_reasons,
              ::testing::ElementsAre("empty", "unready", "underutilized"));
}

}  // namespace
}  // namespace batholith
