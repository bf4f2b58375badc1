#include <gtest/gtest.h>

#include "sim/cluster.h"

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

ClusterObjects OnePod(std::int64_t grace_s) {
  ClusterObjects objects;
  objects.nodes.emplace_back();
  objects.nodes.back().meta.name = "n1";
  PodRecord pod;
  pod.meta.name = "p";
  pod.meta.namespace_ = "ns";
  pod.meta.uid = "u";
  pod.group = "g";
  pod.grace_period_s = grace_s;
  objects.pods.push_back(std::move(pod));
  return objects;
}

CycleResult Binding() {
  CycleResult result;
  result.binds.push_back({"ns/p", "ns/g", "q", "n1", "allocate"});
  return result;
}

CycleResult Eviction() {
  CycleResult result;
  result.evictions.push_back({"ns/p", "ns/g", "q", "n1", "preempt", "ns/h", ""});
  return result;
}

TEST(SimCluster, ABoundPodRunsAtTheNextSession) {
  SimCluster cluster(OnePod(-1), VictimFate::kGone, 0);
  EXPECT_FALSE(cluster.IsRestless());
  const auto before = cluster.Objects();
  cluster.Apply(Binding(), 0);
  EXPECT_EQ(before->pods[0].node_name, "");  // what a session still holds does not change
  EXPECT_EQ(cluster.Objects()->pods[0].node_name, "n1");
  EXPECT_EQ(cluster.Objects()->pods[0].phase, PodPhase::kPending);
  EXPECT_TRUE(cluster.IsRestless());
  cluster.Advance(kSecond);
  EXPECT_EQ(cluster.Objects()->pods[0].phase, PodPhase::kRunning);
  EXPECT_FALSE(cluster.IsRestless());
}

TEST(SimCluster, AnEvictedPodStaysForItsGracePeriod) {
  SimCluster cluster(OnePod(2), VictimFate::kGone, 0);
  cluster.Apply(Binding(), 0);
  cluster.Advance(kSecond);
  cluster.Apply(Eviction(), kSecond);
  EXPECT_TRUE(cluster.Objects()->pods[0].meta.deleting);
  cluster.Advance(2 * kSecond);
  EXPECT_EQ(cluster.Objects()->pods.size(), 1U);
  cluster.Advance(3 * kSecond);
  EXPECT_TRUE(cluster.Objects()->pods.empty());
}

TEST(SimCluster, ARecreatedVictimIsCountedFromTheFirst) {
  SimCluster cluster(OnePod(-1), VictimFate::kRecreated, 0);
  cluster.Apply(Binding(), 0);
  cluster.Advance(kSecond);
  cluster.Apply(Eviction(), kSecond);
  cluster.Advance(2 * kSecond);
  ASSERT_EQ(cluster.Objects()->pods.size(), 1U);
  const PodRecord& again = cluster.Objects()->pods[0];
  EXPECT_EQ(again.meta.name, "p-r1");
  EXPECT_EQ(again.group, "g");
  EXPECT_EQ(again.node_name, "");
  EXPECT_EQ(again.phase, PodPhase::kPending);
  CycleResult bind = Binding();
  bind.binds[0].pod = "ns/p-r1";
  cluster.Apply(bind, 2 * kSecond);
  CycleResult evict = Eviction();
  evict.evictions[0].pod = "ns/p-r1";
  cluster.Apply(evict, 3 * kSecond);
  cluster.Advance(4 * kSecond);
  EXPECT_EQ(cluster.Objects()->pods[0].meta.name, "p-r2");
}

TEST(SimCluster, SaysWhatCannotHappen) {
  SimCluster cluster(OnePod(-1), VictimFate::kGone, 0);
  EXPECT_EQ(cluster.Add(OnePod(-1), 0),
            (std::vector<std::string>{"Node/n1 exists already", "Pod/ns/p exists already"}));
  ObjectUpdate update;
  update.objects.queues.emplace_back();
  update.objects.queues[0].meta.name = "q";
  EXPECT_EQ(cluster.Update(std::move(update), 0).size(), 1U);
  EXPECT_FALSE(cluster.Remove("Pod/ns/ghost"));
  EXPECT_FALSE(cluster.Remove("Gadget/x"));
  EXPECT_TRUE(cluster.Remove("Pod/ns/p"));
  EXPECT_TRUE(cluster.Objects()->pods.empty());
}

TEST(SimCluster, QuotasOfOneNameAreToldApartByGroup) {
  ClusterObjects objects;
  for (const char* group : {"scheduling.x-k8s.io", "nos.nebuly.com"}) {
    ElasticQuotaRecord& quota = objects.elastic_quotas.emplace_back();
    quota.group = group;
    quota.meta.namespace_ = "a";
    quota.meta.name = "q";
    quota.status_used = {{"cpu", 1000}};
  }
  SimCluster cluster(objects, VictimFate::kGone, 0);
  EXPECT_EQ(cluster.Add(objects, 0).size(), 2U);

  ObjectUpdate update;
  update.objects.elastic_quotas = {objects.elastic_quotas[1]};
  update.objects.elastic_quotas[0].max = ResourceList{{"cpu", 4000}};
  update.objects.elastic_quotas[0].status_used.clear();
  EXPECT_TRUE(cluster.Update(std::move(update), 0).empty());
  EXPECT_FALSE(cluster.Objects()->elastic_quotas[0].max);
  EXPECT_TRUE(cluster.Objects()->elastic_quotas[1].max);
  EXPECT_EQ(cluster.Objects()->elastic_quotas[1].status_used, (ResourceList{{"cpu", 1000}}));

  EXPECT_FALSE(cluster.Remove("CompositeElasticQuota/a/q"));
  EXPECT_EQ(cluster.Remove("ElasticQuota/a/q").error().message,
            "remove ElasticQuota/a/q: several groups have it; expected ElasticQuota.GROUP/a/q");
  EXPECT_TRUE(cluster.Remove("ElasticQuota.nos.nebuly.com/a/q"));
  EXPECT_TRUE(cluster.Remove("ElasticQuota/a/q"));
  EXPECT_TRUE(cluster.Objects()->elastic_quotas.empty());
}

TEST(SimCluster, WorkloadsOfOneNameAreToldApartByKind) {
  ClusterObjects objects;
  for (const char* kind : {"Deployment", "StatefulSet"}) {
    ScalableRecord& workload = objects.scalables.emplace_back();
    workload.api_group = "apps";
    workload.kind = kind;
    workload.meta.namespace_ = "a";
    workload.meta.name = "w";
  }
  ClusterObjects first;
  first.scalables = {objects.scalables[0]};
  SimCluster cluster(std::move(first), VictimFate::kGone, 0);
  EXPECT_EQ(cluster.Add(objects, 0),
            std::vector<std::string>{"Deployment.apps/a/w exists already"});
  EXPECT_EQ(cluster.Objects()->scalables, objects.scalables);

  ObjectUpdate update;
  update.objects.scalables = {objects.scalables[1]};
  update.objects.scalables[0].replicas = 4;
  EXPECT_TRUE(cluster.Update(std::move(update), 0).empty());
  EXPECT_EQ(cluster.Objects()->scalables[0].replicas, 0);
  EXPECT_EQ(cluster.Objects()->scalables[1].replicas, 4);

  EXPECT_EQ(cluster.Remove("Job/a/w").error().message, "remove Job/a/w: no such object");
  EXPECT_TRUE(cluster.Remove("StatefulSet/a/w"));
  EXPECT_TRUE(cluster.Remove("Deployment.apps/a/w"));
  EXPECT_TRUE(cluster.Objects()->scalables.empty());
}

TEST(SimCluster, NodeGroupsGoByTheirKind) {
  ClusterObjects objects;
  for (const char* kind : {"MachineDeployment", "NodeGroup"}) {
    NodeGroupRecord& group = objects.node_groups.emplace_back();
    group.kind = kind;
    group.meta.name = "g";
  }
  objects.node_groups[0].meta.namespace_ = "a";
  SimCluster cluster(objects, VictimFate::kGone, 0);
  EXPECT_FALSE(cluster.Remove("NodeGroup/a/g"));
  EXPECT_TRUE(cluster.Remove("MachineDeployment/a/g"));
  EXPECT_TRUE(cluster.Remove("NodeGroup/g"));
  EXPECT_TRUE(cluster.Objects()->node_groups.empty());
}

// As many as one input may have. Each cost a look at all the others once, so that this took
// minutes.
TEST(SimCluster, ManyNodesOfAGroupStandUpAtOnce) {
  ClusterObjects objects;
  NodeGroupRecord& group = objects.node_groups.emplace_back();
  group.kind = "NodeGroup";
  group.meta.name = "g";
  group.replicas = 20'000;
  group.node_template.emplace();
  NodeRecord& taken = objects.nodes.emplace_back();
  taken.meta.name = "g-7";
  SimCluster cluster(std::move(objects), VictimFate::kGone, 0);
  const std::vector<NodeRecord>& nodes = cluster.Objects()->nodes;
  ASSERT_EQ(nodes.size(), 20'001U);
  EXPECT_EQ(nodes[1].meta.name, "g-1");
  EXPECT_EQ(nodes[7].meta.name, "g-8");  // g-7 is another's
  EXPECT_EQ(nodes.back().meta.name, "g-20001");
}

}  // namespace
}  // namespace batholith
