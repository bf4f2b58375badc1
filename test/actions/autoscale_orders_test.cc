#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "actions/autoscale/autoscale.h"
#include "cache/snapshot_builder.h"
#include "codec/decode.h"
#include "framework/cycle.h"
#include "scheduler/compile_conf.h"
#include "sim/run/run_sessions.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr TimeNs kSecond = 1'000'000'000;

constexpr const char* kOrdersConf = R"(
actions: "allocate, autoscale"
tiers: [{plugins: [{name: gang}, {name: predicates}]}]
configurations:
- name: autoscale
  arguments:
    mode: apply
    clusterAPI: {enabled: true}
    scaleDown: {unneededTime: 0s, delayAfterAdd: 0s}
)";

json::value Parse(const std::string& text) { return json::parse(text); }

// MachineDeployment shop/md of 2 nodes n0 and n1 of 4 cpu, Machines m0 and m1; m0 is marked.
class Shop {
 public:
  Shop() {
    decoder_.Add(Parse(R"({"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"MachineDeployment",
      "metadata":{"name":"md","namespace":"shop","annotations":{
        "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size":"0",
        "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size":"9"}},
      "spec":{"replicas":2}})"),
                 "group");
    for (const std::string n : {"0", "1"}) {
      decoder_.Add(Parse(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n)" + n +
                         R"("},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"9"}}})"),
                   "node");
      const std::string mark =
          n == "0" ? R"(,"annotations":{"cluster.x-k8s.io/delete-machine":"batholith"})" : "";
      decoder_.Add(Parse(R"({"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Machine",
        "metadata":{"name":"m)" +
                         n + R"(","namespace":"shop","labels":{
          "cluster.x-k8s.io/deployment-name":"md"})" +
                         mark + R"(},"status":{"nodeRef":{"name":"n)" + n + R"("}}})"),
                   "machine");
    }
    AddPod("fixed", 3, "n0");
    Loaded loaded = decoder_.Finish();
    EXPECT_THAT(loaded.refused, IsEmpty());
    objects_ = std::make_shared<ClusterObjects>(std::move(loaded.objects));
  }

  AutoscaleReport Session(TimeNs now, const AutoscaleReport& before = {}) {
    const auto snapshot = BuildSnapshot(objects_, {.now = now});
    CycleOptions options;
    options.autoscale_before = before.ran ? &before : nullptr;
    return RunCycle(*snapshot, *CompileConf(kOrdersConf, "conf")->pipeline, options).autoscale;
  }

 private:
  void AddPod(const std::string& name, int cpu, const std::string& node) {
    json::object spec{
        {"schedulerName", "volcano"},
        {"containers",
         json::array{json::object{
             {"name", "c"},
             {"resources", json::object{{"requests", {{"cpu", std::to_string(cpu)}}}}}}}}};
    if (!node.empty()) spec["nodeName"] = node;
    decoder_.Add(json::object{{"apiVersion", "v1"},
                              {"kind", "Pod"},
                              {"metadata", {{"name", name}, {"namespace", "shop"}}},
                              {"spec", std::move(spec)},
                              {"status", {{"phase", node.empty() ? "Pending" : "Running"}}}},
                 "pod");
  }

  ManifestDecoder decoder_{{.now = kDefaultNow}};
  std::shared_ptr<ClusterObjects> objects_;
};

// n1 is empty and goes; of the marks that are there m0's is of a node that stays.
TEST(Autoscale, an_order_names_its_object_the_machines_that_go_and_marks_that_are_stale) {
  Shop shop;
  const AutoscaleReport first = shop.Session(kDefaultNow);
  const AutoscaleReport second = shop.Session(kDefaultNow + 11 * kSecond, first);
  ASSERT_EQ(second.orders.size(), 1U);
  const NodeGroupOrder& order = second.orders[0];
  EXPECT_EQ(order.target, "MachineDeployment/shop/md");
  EXPECT_EQ(order.to, 1);
  EXPECT_THAT(order.removals, ElementsAre("n1"));
  EXPECT_THAT(order.machines, ElementsAre("shop/m1"));
  EXPECT_THAT(order.stale_marks, ElementsAre("shop/m0"));
}

TEST(Autoscale, a_removal_that_failed_is_tried_again_after_a_while_only) {
  Shop shop;
  AutoscaleReport told = shop.Session(kDefaultNow + 11 * kSecond, shop.Session(kDefaultNow));
  ASSERT_EQ(told.memory.removals.count("n1"), 1U);
  told.memory.failures = {{"MachineDeployment/shop/md", {"n1"}, kDefaultNow + 12 * kSecond}};
  // Kept where no decision is due.
  const AutoscaleReport soon = shop.Session(kDefaultNow + 13 * kSecond, told);
  EXPECT_EQ(soon.memory.failures, told.memory.failures);
  const AutoscaleReport later = shop.Session(kDefaultNow + 22 * kSecond, soon);
  EXPECT_THAT(later.memory.failures, IsEmpty());
  EXPECT_THAT(later.memory.removals, IsEmpty());
  EXPECT_THAT(later.orders, IsEmpty());
  // delayAfterFailure is 3 minutes: 12 s + 180 s.
  const AutoscaleReport again = shop.Session(kDefaultNow + 193 * kSecond, later);
  ASSERT_EQ(again.orders.size(), 1U);
  EXPECT_THAT(again.orders[0].removals, ElementsAre("n1"));
}

TEST(Autoscale, a_group_that_could_not_be_resized_is_left_alone_for_its_backoff) {
  Shop shop;
  AutoscaleReport told = shop.Session(kDefaultNow);
  told.memory.failures = {{"MachineDeployment/shop/md", {}, kDefaultNow + 5 * kSecond}};
  const AutoscaleReport next = shop.Session(kDefaultNow + 11 * kSecond, told);
  const GroupBackoff& backoff = next.memory.groups.at("MachineDeployment/shop/md").backoff;
  EXPECT_EQ(backoff.failures, 1);
  EXPECT_EQ(backoff.until, kDefaultNow + (5 + 300) * kSecond);
}

// Names of the groups that this clusterAPI makes of three MachineDeployments.
std::string GroupsOf(const std::string& cluster_api) {
  ClusterObjects objects;
  for (const auto& [namespace_, name, team] :
       {std::tuple{"x", "a", "red"}, {"x", "b", "blue"}, {"y", "c", "red"}}) {
    NodeGroupRecord group;
    group.kind = "MachineDeployment";
    group.meta.namespace_ = namespace_;
    group.meta.name = name;
    group.meta.labels = {{"team", team}, {"cluster.x-k8s.io/cluster-name", namespace_}};
    group.max = 3;
    objects.node_groups.push_back(group);
  }
  const auto conf = CompileConf(
      "actions: autoscale\ntiers: []\nconfigurations:\n"
      "- name: autoscale\n  arguments:\n    clusterAPI: {" +
          cluster_api + "}\n",
      "conf");
  if (!conf) return conf.error().message;
  const auto ran = RunSessions(std::move(objects), conf->pipeline, {});
  std::string out;
  for (const NodeGroupStatus& group : ran.last.autoscale.groups)
    out += group.name.substr(group.name.rfind('/') + 1);
  return out;
}

TEST(Autoscale, namespace_cluster_and_labels_say_which_machine_deployments_are_groups) {
  EXPECT_EQ(GroupsOf("enabled: false"), "");
  EXPECT_EQ(GroupsOf("enabled: true"), "abc");
  EXPECT_EQ(GroupsOf("enabled: true, namespace: x"), "ab");
  EXPECT_EQ(GroupsOf("enabled: true, clusterName: y"), "c");
  EXPECT_EQ(GroupsOf("enabled: true, selector: team=red"), "ac");
  EXPECT_EQ(GroupsOf("enabled: true, namespace: x, selector: \"team=red,team2=\""), "");
  EXPECT_THAT(GroupsOf("enabled: true, selector: red"),
              HasSubstr("clusterAPI.selector: \"red\" is not a label"));
}

}  // namespace
}  // namespace batholith
