#include <gtest/gtest.h>

#include "test/quota/quota_cluster.h"

// Who leaves for whom, by the vectors: sessions on small clusters in which elasticquota alone votes
// on victims.
namespace batholith {
namespace {

class VictimsVectors : public QuotaVectorTest {};

constexpr const char* kPreemptor = "preemptor";

std::vector<std::string> NamesAt(const YAML::Node& list) {
  return list.as<std::vector<std::string>>();
}

YAML::Node Amounts(const std::string& text) { return YAML::Load(text); }

// The quotas of a vector and, where it has none, one that concerns nobody: what happens then is
// about pods without a quota, not about a cluster without quotas.
void AddQuotas(std::string_view group, const YAML::Node& quotas, QuotaCluster& cluster) {
  cluster.objects.elastic_quotas = FlatQuotas(group, quotas).elastic_quotas;
  if (cluster.objects.elastic_quotas.empty())
    cluster.objects.elastic_quotas = {QuotaIn(group, "nobody", "quota")};
}

// {nodes or node_allocatable, pods, preemptor, quotas}
QuotaCluster Full(std::string_view group, const YAML::Node& in) {
  QuotaCluster cluster;
  AddQuotas(group, in["quotas"], cluster);
  if (in["node_allocatable"]) cluster.AddNode("node", in["node_allocatable"]);
  for (const YAML::Node& node : in["nodes"])
    cluster.AddNode(TextOf(node["name"]), node["allocatable"]);
  for (const YAML::Node& pod : in["pods"]) cluster.AddPod(pod, TextOf(pod["node"], "node"));
  cluster.FillUp(in["quotas"]);
  cluster.AddPod(in["preemptor"]);
  return cluster;
}

// The node that the pod has or has reserved after the last session; empty: none.
std::string PlaceOf(const RunOutcome& outcome, const std::string& pod) {
  for (const Bind& bind : outcome.last.binds) {
    if (NameOf(bind.pod) == pod) return bind.node;
  }
  for (const Pipelined& reserved : outcome.last.pipelined) {
    if (NameOf(reserved.pod) == pod) return reserved.node;
  }
  return {};
}

TEST_F(VictimsVectors, on_one_node) {
  for (const auto& [system, group] :
       {std::pair("capacity", kSchedulerPluginsGroup), std::pair("nos", kNosGroup)}) {
    for (const QuotaVector& v : LoadQuotaVectors(system, "select_victims")) {
      const RunOutcome outcome = Full(group, v.inputs)
                                     .Run("compat: strict, nvidiaGpuResourceMemoryGB: " +
                                          TextOf(v.inputs["gb_per_gpu"], "16"));
      EXPECT_EQ(Evicted(outcome), NamesAt(v.expected["victims"])) << v.id;
      EXPECT_EQ(!PlaceOf(outcome, TextOf(v.inputs["preemptor"]["name"])).empty(),
                TextOf(v.expected["status"]) == "Success")
          << v.id;
    }
  }
}

TEST_F(VictimsVectors, on_several_nodes) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "cross_node")) {
    for (const auto& [policy, cross_node] :
         {std::pair("single_node_policy", "off"), std::pair("cluster_wide_policy", "on")}) {
      const RunOutcome outcome = Full(kSchedulerPluginsGroup, v.inputs)
                                     .Run(std::string("compat: strict, crossNode: ") + cross_node);
      const YAML::Node expected = v.expected[policy];
      std::vector<std::string> victims = Evicted(outcome);
      std::ranges::sort(victims);
      EXPECT_EQ(victims, NamesAt(expected["victims"])) << v.id << " " << policy;
      EXPECT_EQ(!PlaceOf(outcome, TextOf(v.inputs["preemptor"]["name"])).empty(),
                expected["scheduled"].as<bool>())
          << v.id << " " << policy;
    }
  }
}

TEST_F(VictimsVectors, where_room_is_made) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "postfilter")) {
    const RunOutcome outcome = Full(kSchedulerPluginsGroup, v.inputs).Run(kStrict);
    EXPECT_EQ(PlaceOf(outcome, TextOf(v.inputs["preemptor"]["name"])),
              TextOf(v.expected["nominated"]))
        << v.id;
    EXPECT_FALSE(outcome.evictions.empty()) << v.id;
  }
}

// Pods come one after the other, with time between them for victims to go.
TEST_F(VictimsVectors, stories) {
  constexpr int kPause = 4;
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "scenario")) {
    QuotaCluster cluster;
    AddQuotas(kSchedulerPluginsGroup, v.inputs["quotas"], cluster);
    for (const YAML::Node& node : v.inputs["nodes"])
      cluster.AddNode(TextOf(node["name"]), node["allocatable"]);
    for (const YAML::Node& pod : v.inputs["existing"]) cluster.AddPod(pod, TextOf(pod["node"]));
    RunOptions options;
    options.cycles = 1;
    for (const YAML::Node& in : v.inputs["added_in_order"]) {
      QuotaCluster added;
      added.AddPod(in);
      const PriorityClassRecord needed = added.objects.priority_classes.front();
      cluster.NeedPriority(needed.meta.name, needed.value);
      added.objects.priority_classes.clear();
      RunEvent& event = options.events.emplace_back();
      event.cycle = options.cycles;
      event.add = std::move(added.objects);
      options.cycles += kPause;
    }
    const RunOutcome outcome = cluster.Run(kStrict, options);
    EXPECT_TRUE(outcome.errors.empty()) << v.id << outcome.errors.front();
    std::set<std::string> scheduled;
    for (const PodRecord& pod : outcome.objects->pods) {
      if (!pod.node_name.empty() && !pod.meta.deleting) scheduled.insert(pod.meta.name);
    }
    const auto expected = NamesAt(v.expected["scheduled"]);
    EXPECT_EQ(scheduled, std::set<std::string>(expected.begin(), expected.end())) << v.id;
  }
}

// --- may a pod make others leave now ---

// A node that the listed pods and a bait fill. The bait is any preemptor's victim: for one with a
// quota a pod of another quota without min, else a pod without quota. It goes if the preemptor does
// not wait.
bool EligibleFlat(const YAML::Node& in) {
  QuotaCluster cluster;
  AddQuotas(kSchedulerPluginsGroup, in["quotas"], cluster);
  const YAML::Node fifty = Amounts("{memory: '50'}");
  const std::string namespace_ = TextOf(in["preemptor"]["namespace"]);
  // Room for all in the sum of the minimums.
  ElasticQuotaRecord& slack =
      cluster.objects.elastic_quotas.emplace_back(QuotaIn(kSchedulerPluginsGroup, "slack", "q"));
  slack.min = AmountsOf(Amounts("{memory: '1000'}"));
  if (in["quotas"][namespace_])
    cluster.objects.elastic_quotas.push_back(QuotaIn(kSchedulerPluginsGroup, "bait", "quota"));
  const bool unresolvable = in["node_status"].IsDefined();
  if (unresolvable) cluster.AddNode("node-a", fifty).unschedulable = true;
  const std::string place = unresolvable ? "node-b" : "node-a";
  NodeRecord& node = cluster.AddNode(place, fifty);
  for (const YAML::Node& pod : in["node_pods"]) AddTo(node.allocatable, AmountsOf(fifty));
  cluster.AddPod("bait", "bait", AmountsOf(fifty), 1, place);
  for (const YAML::Node& pod : in["node_pods"]) {
    cluster
        .AddPod(TextOf(pod["namespace"]), "leaving", AmountsOf(fifty),
                pod["priority"].as<std::int32_t>(), place)
        .meta.deleting = true;
  }
  cluster.FillUp(in["quotas"]);
  PodRecord& preemptor = cluster.AddPod(namespace_, kPreemptor, AmountsOf(fifty),
                                        in["preemptor"]["priority"].as<std::int32_t>());
  preemptor.preemption_never = TextOf(in["preemptor"]["policy"]) == "Never";
  preemptor.nominated_node = TextOf(in["preemptor"]["nominated"]);
  return !Evicted(cluster.Run(kStrict)).empty();
}

// A quota with max 2 whose pods, a bait and one more, use it up. The other one is what leaves, if
// it is of this quota.
bool EligibleInTree(const YAML::Node& in) {
  QuotaCluster cluster;
  const YAML::Node one = Amounts("{cpu: '1'}");
  const YAML::Node two = Amounts("{cpu: '2'}");
  cluster.objects.elastic_quotas = {KoordinatorQuota("q1"), KoordinatorQuota("q2")};
  for (ElasticQuotaRecord& quota : cluster.objects.elastic_quotas) quota.max = AmountsOf(two);
  const bool unresolvable = TextOf(in["node_status"]) == "UnschedulableAndUnresolvable";
  if (unresolvable) cluster.AddNode("node-a", two).unschedulable = true;
  const std::string place = unresolvable ? "node-b" : "node-a";
  cluster.AddNode(place, Amounts("{cpu: '8'}"));
  const auto add = [&](const char* name, std::int32_t priority, const std::string& node,
                       const std::string& quota) -> PodRecord& {
    PodRecord& pod = cluster.AddPod("ns", name, AmountsOf(one), priority, node);
    pod.quota_name = quota;
    return pod;
  };
  add("bait", 1, place, "q1");
  bool has_other = false;
  for (const YAML::Node& pod : in["terminating"]) {
    const bool same = pod["same_quota"].as<bool>();
    add("leaving", pod["priority"].as<std::int32_t>(), place, same ? "q1" : "q2").meta.deleting =
        true;
    has_other = same;
  }
  if (!has_other) cluster.AddFiller("ns", AmountsOf(one)).quota_name = "q1";
  PodRecord& preemptor = add(kPreemptor, in["priority"].as<std::int32_t>(), "", "q1");
  preemptor.preemption_never = TextOf(in["policy"]) == "Never";
  if (in["nominated"]) preemptor.nominated_node = "node-a";
  return !Evicted(cluster.Run("compat: strict, enableRuntimeQuota: false")).empty();
}

TEST_F(VictimsVectors, who_may_ask_now) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "preempt_eligible"))
    EXPECT_EQ(EligibleFlat(v.inputs), v.expected["eligible"].as<bool>()) << v.id;
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "preempt_eligible"))
    EXPECT_EQ(EligibleInTree(v.inputs), v.expected["eligible"].as<bool>()) << v.id;
}

// What is used does not hold the listed pods in the vectors; here it does, so the limit is higher
// by as much. Upstream's status says whether it found candidates, even for a preemptor that fits.
TEST_F(VictimsVectors, of_the_own_quota) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "select_victims_own_quota")) {
    QuotaCluster cluster;
    cluster.AddNode("node", Amounts("{cpu: '1000', memory: '1000'}"));
    cluster.objects.elastic_quotas = {KoordinatorQuota("q")};
    ResourceList limit = AmountsOf(v.inputs["used_limit"]);
    for (const YAML::Node& in : v.inputs["pods"]) {
      PodRecord& pod = cluster.AddPod(in, "node");
      pod.quota_name = "q";
      AddTo(limit, pod.request);
    }
    cluster.objects.elastic_quotas[0].max = limit;
    cluster.AddPod(v.inputs["preemptor"]).quota_name = "q";
    const RunOutcome outcome = cluster.Run("compat: strict, enableRuntimeQuota: false");
    EXPECT_EQ(Evicted(outcome), NamesAt(v.expected["victims"])) << v.id;
  }
}

}  // namespace
}  // namespace batholith
