#include "actions/autoscale/autoscale.h"

#include <gmock/gmock.h>

#include "scheduler/compile_conf.h"
#include "sim/run/run_sessions.h"

namespace batholith {
namespace {

constexpr const char* kAutoscaleConf = R"(
actions: "autoscale"
tiers: [{plugins: [{name: gang}, {name: predicates}, {name: binpack}]}]
configurations:
- name: autoscale
  arguments:
    mode: apply
    scaleDown: {unneededTime: 0s, unreadyTime: 0s, delayAfterAdd: 0s}
    nodeGroups:
)";

NodeRecord NodeOf(const char* name, Labels labels) {
  NodeRecord node;
  node.meta.name = name;
  node.meta.labels = std::move(labels);
  node.meta.creation = 1;
  node.allocatable = {{"cpu", 4000}, {"memory", 1LL << 33}, {"pods", 110}};
  return node;
}

PodRecord PodOn(const char* node) {
  PodRecord pod;
  pod.meta.name = "p";
  pod.meta.namespace_ = "shop";
  pod.meta.owner.Edit().kind = "ReplicaSet";
  pod.meta.owner.Edit().name = "web";
  pod.node_name = node;
  pod.phase = PodPhase::kRunning;
  pod.request = {{"cpu", 100}};
  pod.constraints = std::make_shared<PodConstraints>();
  return pod;
}

CycleResult RunOn(ClusterObjects objects, const std::string& groups, RunOptions options) {
  const auto conf = CompileConf(kAutoscaleConf + groups, "conf");
  EXPECT_TRUE(conf.has_value()) << conf.error().message;
  return RunSessions(std::move(objects), conf->pipeline, std::move(options)).last;
}

// The second session, 10 s after the first, takes three nodes of the group: n1 has no pods, n2 none
// either and is not ready, n3 is used by 100m of 4000m, which have room on n4 of no group.
TEST(Autoscale, orders_say_why_a_node_goes) {
  ClusterObjects objects;
  for (const char* name : {"n1", "n2", "n3"})
    objects.nodes.push_back(NodeOf(name, {{"pool", "g"}}));
  objects.nodes.push_back(NodeOf("n4", {{"pool", "other"}}));
  objects.nodes[1].ready = false;
  objects.pods = {PodOn("n3")};
  NodeGroupRecord md;
  md.kind = "MachineDeployment";
  md.meta.name = "md";
  md.meta.namespace_ = "default";
  md.replicas = 3;
  objects.node_groups = {md};
  std::vector<NodeGroupOrder> orders;
  RunOptions options;
  options.cycles = 2;
  options.period_ns = 10'000'000'000;
  options.on_session = [&](int, const Snapshot&, const CycleResult& result) {
    orders.insert(orders.end(), result.autoscale.orders.begin(), result.autoscale.orders.end());
  };
  RunOn(std::move(objects),
        "    - {name: g, selector: {pool: g}, scaleTarget: {name: md}, min: 0, max: 9}",
        std::move(options));
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_EQ(orders[0].from, 3);
  EXPECT_EQ(orders[0].to, 0);
  EXPECT_THAT(orders[0].removals, ::testing::ElementsAre("n1", "n2", "n3"));
  EXPECT_THAT(orders[0].removal_reasons,
              ::testing::ElementsAre("empty", "unready", "underutilized"));
}

// What has nobody to resize it is left alone where sizes are written, and says so.
TEST(Autoscale, a_group_without_a_scale_target_is_not_ordered_anything) {
  ClusterObjects objects;
  objects.nodes = {NodeOf("n1", {{"pool", "g"}}), NodeOf("n2", {{"pool", "g"}})};
  const CycleResult result =
      RunOn(std::move(objects), "    - {name: g, selector: {pool: g}, min: 0, max: 9}", {});
  ASSERT_EQ(result.autoscale.groups.size(), 1U);
  EXPECT_THAT(result.autoscale.groups[0].reason, ::testing::HasSubstr("it has no scaleTarget"));
}

// n1 is of a, b and d; n2 of b, c and d; n3 of c; n4 of d by its label, n5 of m by its Machine; n6
// has one label of the two of a. The first by name has them.
TEST(Autoscale, a_node_is_of_the_first_group_that_it_could_be_of) {
  ClusterObjects objects;
  objects.nodes = {
      NodeOf("n1", {{"pool", "x"}, {"zone", "1"}, {kNodeGroupLabel, "d"}}),
      NodeOf("n2", {{"pool", "x"}, {"zone", "2"}, {kNodeGroupLabel, "d"}}),
      NodeOf("n3", {{"zone", "2"}}),
      NodeOf("n4", {{"pool", "y"}, {"zone", "1"}, {kNodeGroupLabel, "d"}}),
      NodeOf("n5", {}),
      NodeOf("n6", {{"pool", "y"}, {"zone", "1"}}),
  };
  NodeGroupRecord d;
  d.kind = "NodeGroup";
  d.meta.name = "d";
  d.max = 9;
  NodeGroupRecord md;
  md.kind = "MachineDeployment";
  md.meta.name = "md";
  md.meta.namespace_ = "default";
  md.max = 9;
  objects.node_groups = {d, md};
  MachineRecord machine;
  machine.meta.name = "machine";
  machine.meta.namespace_ = "default";
  machine.node = "n5";
  machine.deployment = "md";
  objects.machines = {machine};
  const CycleResult result = RunOn(std::move(objects), R"(
    - {name: a, selector: {pool: x, zone: "1"}, min: 0, max: 9}
    - {name: b, selector: {pool: x}, min: 0, max: 9}
    - {name: c, selector: {zone: "2"}, min: 0, max: 9}
    - {name: m, scaleTarget: {name: md}, min: 0, max: 9})",
                                   {});
  std::map<std::string, std::int32_t> sizes;
  for (const NodeGroupStatus& group : result.autoscale.groups) sizes[group.name] = group.current;
  EXPECT_EQ(sizes, (std::map<std::string, std::int32_t>{
                       {"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"m", 1}}));
}

}  // namespace
}  // namespace batholith
