#include <gtest/gtest.h>

#include "test/codec/decode_env.h"
#include "test/quota/quota_cluster.h"

// What sessions count, by the vectors. Upstream keeps its sums from event to event; ours are
// counted anew from the objects, so an event is what the objects are after it.
namespace batholith {
namespace {

class AccountVectors : public QuotaVectorTest {};

// Everything that a pod of a quota without min holds is borrowed, so `borrowed` is what is used
// inside the scheduler, whatever status.used counts.
ResourceList UsedOf(const RunOutcome& outcome, const std::string& quota) {
  return QuotaCluster::FigureOf(outcome, quota)->borrowed;
}

// The request of a pod as the API server and the codec make it of its containers.
ResourceList RequestOf(const YAML::Node& in) {
  YAML::Node pod = YAML::Load(PodWith("containers: []"));
  for (const auto& [ours, theirs] :
       {std::pair("containers", "containers"), std::pair("init_containers", "initContainers")}) {
    for (const YAML::Node& container : in[ours]) {
      YAML::Node made;
      made["name"] = "c" + std::to_string(pod["spec"][theirs].size());
      made["resources"]["requests"] = container;
      pod["spec"][theirs].push_back(made);
    }
  }
  if (in["overhead"]) pod["spec"]["overhead"] = in["overhead"];
  const Loaded loaded = Decode(YAML::Dump(pod));
  EXPECT_EQ(JoinedLines(loaded.refused), "");
  return loaded.objects.pods.at(0).request;
}

PodPhase PhaseOf(const std::string& text) {
  if (text == "Running") return PodPhase::kRunning;
  if (text == "Succeeded") return PodPhase::kSucceeded;
  return text == "Failed" ? PodPhase::kFailed : PodPhase::kPending;
}

TEST_F(AccountVectors, status_used) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "status_used")) {
    QuotaCluster cluster;
    cluster.AddNode("n", YAML::Node());
    for (const YAML::Node& in : v.inputs["quotas"]) {
      ElasticQuotaRecord& quota = cluster.objects.elastic_quotas.emplace_back(
          QuotaIn(kSchedulerPluginsGroup, TextOf(in["namespace"]), "quota"));
      quota.min = OptionalAmountsOf(in["min"]);
      quota.max = OptionalAmountsOf(in["max"]);
    }
    for (const YAML::Node& in : v.inputs["pods"]) {
      cluster
          .AddPod(TextOf(in["namespace"]), "p" + std::to_string(cluster.objects.pods.size()),
                  RequestOf(in), 0, "n")
          .phase = PhaseOf(TextOf(in["phase"]));
    }
    const RunOutcome outcome = cluster.Run(kStrict, Figures());
    for (const auto& entry : v.expected["used"]) {
      EXPECT_EQ(QuotaCluster::FigureOf(outcome, entry.first.as<std::string>())->used,
                NonZero(entry.second))
          << v.id;
    }
  }
}

TEST_F(AccountVectors, quotas_and_pods_that_change) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "cache")) {
    QuotaCluster cluster;
    cluster.AddNode("n", YAML::Node());
    const std::string namespace_ = TextOf(v.inputs["quota"]["namespace"]);
    const YAML::Node spec = v.inputs["update"] ? v.inputs["update"] : v.inputs["quota"];
    if (!v.inputs["delete_quota"]) {
      ElasticQuotaRecord& quota = cluster.objects.elastic_quotas.emplace_back(
          QuotaIn(kSchedulerPluginsGroup, namespace_, "quota"));
      quota.min = AmountsOf(spec["min"]);
      quota.max = AmountsOf(spec["max"]);
    }
    std::size_t gone = v.inputs["delete"] ? v.inputs["delete"].as<std::size_t>() : 0;
    for (const YAML::Node& request : v.inputs["add"]) {
      if (gone > 0) {
        --gone;
        continue;
      }
      PodRecord& pod = cluster.AddPod(namespace_, "p" + std::to_string(cluster.objects.pods.size()),
                                      AmountsOf(request), 0, "n");
      if (v.inputs["phase_change"]) pod.phase = PhaseOf(TextOf(v.inputs["phase_change"][1]));
    }
    const RunOutcome outcome = cluster.Run(kStrict, Figures());
    const auto figure = QuotaCluster::FigureOf(outcome, namespace_);
    ASSERT_EQ(figure.has_value(), !v.expected["present"]) << v.id;
    if (!figure) continue;
    EXPECT_EQ(figure->used, NonZero(v.expected["used"])) << v.id;
    if (v.expected["pods"]) {
      const auto counted = std::ranges::count_if(cluster.objects.pods, [](const PodRecord& pod) {
        return pod.phase == PodPhase::kRunning;
      });
      EXPECT_EQ(counted, v.expected["pods"].as<std::ptrdiff_t>()) << v.id;
    }
    if (!v.expected["max"]) continue;
    EXPECT_EQ(figure->min, AmountsOf(v.expected["min"])) << v.id;
    EXPECT_EQ(figure->max, AmountsOf(v.expected["max"])) << v.id;
  }
}

// The pods that hold the quota `used` says, the listed ones and a filler for the rest.
QuotaCluster WithUsed(const YAML::Node& in) {
  QuotaCluster cluster;
  cluster.AddNode("n", YAML::Node());
  cluster.objects.elastic_quotas = {
      QuotaIn(kSchedulerPluginsGroup, TextOf(in["quota_namespace"]), "quota")};
  return cluster;
}

TEST_F(AccountVectors, pods_of_the_namespace_are_reserved) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "reserve_ns")) {
    const std::string quota = TextOf(v.inputs["quota_namespace"]);
    QuotaCluster cluster = WithUsed(v.inputs);
    cluster.AddFiller(quota, AmountsOf(v.inputs["used"]));
    for (std::size_t i = 0; i < v.inputs["reserve"].size(); ++i) {
      const YAML::Node pod = v.inputs["reserve"][i];
      cluster.AddPod(TextOf(pod["namespace"]), TextOf(pod["name"]), AmountsOf(pod["request"]), 0,
                     "n");
      const RunOutcome outcome = cluster.Run(kStrict, Figures());
      EXPECT_EQ(UsedOf(outcome, quota), AmountsOf(v.expected["used_after"][i])) << v.id;
      std::vector<std::string> pods;
      const auto figure = QuotaCluster::FigureOf(outcome, quota);
      for (const std::string& key : figure->pods) {
        if (!key.contains("filler")) pods.push_back(NameOf(key));
      }
      EXPECT_EQ(pods, v.expected["pods_after"][i].as<std::vector<std::string>>()) << v.id;
    }
  }
}

// A pod that holds nothing gives nothing back.
TEST_F(AccountVectors, pods_of_the_namespace_are_given_back) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "unreserve_ns")) {
    const std::string quota = TextOf(v.inputs["quota_namespace"]);
    std::set<std::string> given_back;
    for (std::size_t i = 0; i < v.inputs["unreserve"].size(); ++i) {
      given_back.insert(TextOf(v.inputs["unreserve"][i]["name"]));
      QuotaCluster cluster = WithUsed(v.inputs);
      ResourceList rest = AmountsOf(v.inputs["used"]);
      const auto counted = v.inputs["pods"].as<std::vector<std::string>>();
      for (const std::string& name : counted) {
        const ResourceList request = AmountsOf(v.inputs["unreserve"][0]["request"]);
        AddTo(rest, Times(request, -1));
        cluster.AddPod(quota, name, request, 0, given_back.contains(name) ? "" : "n");
      }
      for (const YAML::Node& pod : v.inputs["unreserve"]) {
        const std::string name = TextOf(pod["name"]);
        if (std::ranges::find(counted, name) != counted.end()) continue;
        cluster.AddPod(TextOf(pod["namespace"]), name, AmountsOf(pod["request"]), 0);
      }
      cluster.AddFiller(quota, rest);
      EXPECT_EQ(UsedOf(cluster.Run(kStrict, Figures()), quota),
                AmountsOf(v.expected["used_after"][i]))
          << v.id;
    }
  }
}

TEST_F(AccountVectors, slots_are_no_resource) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "pods_resource")) {
    QuotaCluster cluster;
    cluster.AddNode("n", YAML::Node());
    cluster.objects.elastic_quotas = {QuotaIn(kSchedulerPluginsGroup, "ns", "quota")};
    cluster.objects.elastic_quotas[0].min = AmountsOf(v.inputs["min"]);
    cluster.objects.elastic_quotas[0].max = AmountsOf(v.inputs["max"]);
    for (int i = 0; i < v.inputs["running_pods"].as<int>(); ++i)
      cluster.AddPod("ns", "p" + std::to_string(i), {}, 0, "n");
    const RunOutcome outcome = cluster.Run(kStrict, Figures());
    EXPECT_EQ(QuotaCluster::FigureOf(outcome, "quota")->used["pods"],
              v.expected["used_pods"].as<std::int64_t>())
        << v.id;
  }
}

// --- Koordinator ---

ElasticQuotaRecord Quota(const std::string& name) {
  ElasticQuotaRecord quota = KoordinatorQuota(name);
  quota.max = {{"cpu", 1'000'000'000}, {"memory", 1'000'000'000'000}};
  return quota;
}

TEST_F(AccountVectors, nodes_make_the_total) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "node_total")) {
    // YAML nodes are references, so what is changed are records.
    std::map<std::string, NodeRecord> nodes;
    const auto set = [&](const YAML::Node& in) {
      NodeRecord& node = nodes[TextOf(in["name"])];
      node.allocatable = AmountsOf(in["allocatable"]);
      node.meta.deleting = in["deleting"].IsDefined();
    };
    for (const YAML::Node& node : v.inputs["nodes"]) set(node);
    for (const YAML::Node& op : v.inputs["ops"]) {
      const YAML::Node changed = op["add"] ? op["add"] : op["update"];
      if (changed) {
        set(changed);
      } else {
        nodes.erase(TextOf(op["delete"]));
      }
    }
    QuotaCluster cluster;
    for (const auto& [name, node] : nodes) {
      cluster.objects.nodes.push_back(node);
      cluster.objects.nodes.back().meta.name = cluster.objects.nodes.back().meta.uid = name;
    }
    // Who asks for everything gets what there is.
    cluster.objects.elastic_quotas = {Quota("q")};
    cluster.AddPod("ns", "p", *Quota("q").max, 0).quota_name = "q";
    EXPECT_EQ(QuotaCluster::FigureOf(cluster.Run(kStrict, Figures()), "q")->runtime,
              NonZero(v.expected["total"]))
        << v.id;
  }
}

TEST_F(AccountVectors, requests_of_pods) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "pod_request")) {
    QuotaCluster cluster;
    cluster.objects.elastic_quotas = {Quota("q")};
    cluster.AddPod("ns", "p", RequestOf(v.inputs), 0).quota_name = "q";
    EXPECT_EQ(QuotaCluster::FigureOf(cluster.Run(kStrict, Figures()), "q")->request,
              AmountsOf(v.expected["request"]))
        << v.id;
  }
}

TEST_F(AccountVectors, a_restart_counts_the_pods) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "pod_accounting_sum")) {
    QuotaCluster cluster;
    cluster.AddNode("n", YAML::Node());
    cluster.objects.elastic_quotas = {Quota("q")};
    for (int i = 0; i < v.inputs["pods"].as<int>(); ++i) {
      cluster.AddPod("ns", "p" + std::to_string(i), AmountsOf(v.inputs["pod_request"]), 0, "n")
          .quota_name = "q";
    }
    const RunOutcome outcome = cluster.Run(kStrict, Figures());
    const auto figure = QuotaCluster::FigureOf(outcome, "q");
    EXPECT_EQ(figure->request, AmountsOf(v.expected["request"])) << v.id;
    EXPECT_EQ(figure->used, AmountsOf(v.expected["used"])) << v.id;
  }
}

// The objects after an event of kind pod_accounting; false: it says nothing that we know.
bool After(const std::string& event, QuotaCluster& cluster) {
  PodRecord& pod = cluster.objects.pods.front();
  const auto bind = [&] {
    pod.node_name = "n";
    pod.phase = PodPhase::kRunning;
  };
  const auto leave = [&](TimeNs seconds_ago) {
    pod.meta.deleting = true;
    pod.deletion = kDefaultNow - seconds_ago * kSecondNs;
    pod.grace_period_s = 30;
  };
  if (event == "add pending" || event == "add pending to 1") return true;
  if (event == "bind" || event == "add bound" || event == "reserve") {
    bind();
  } else if (event == "add bound, deletion 40s ago, grace 30s") {
    bind();
    leave(40);
  } else if (event == "deletion 10s ago" || event == "deletion 40s ago") {
    leave(event == "deletion 10s ago" ? 10 : 40);
  } else if (event == "label moved to quota 2") {
    pod.quota_name = "2";
  } else if (event == "deletion now") {
    leave(0);
  } else if (event == "pod deleted") {
    cluster.objects.pods.clear();
    cluster.objects.pod_groups.clear();
  } else {
    return false;
  }
  return true;
}

TEST_F(AccountVectors, pods_of_koordinator) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "pod_accounting")) {
    QuotaCluster cluster;
    cluster.AddNode("n", YAML::Node());
    cluster.objects.elastic_quotas = {Quota("1"), Quota("2")};
    cluster.AddPod("ns", "p", AmountsOf(v.inputs["pod_request"]), 0).quota_name = "1";
    std::string arguments = kStrict;
    for (const YAML::Node& gate : v.inputs["gates"]) arguments += ", " + TextOf(gate) + ": true";
    for (std::size_t i = 0; i < v.inputs["events"].size(); ++i) {
      const std::string event = TextOf(v.inputs["events"][i]);
      ASSERT_TRUE(After(event, cluster)) << v.id << " " << event;
      const RunOutcome outcome = cluster.Run(arguments, Figures());
      const auto figure = QuotaCluster::FigureOf(outcome, "1");
      const YAML::Node after = v.expected["after"][i];
      EXPECT_EQ(figure->request, NonZero(after["request"])) << v.id << " " << event;
      EXPECT_EQ(figure->used, NonZero(after["used"])) << v.id << " " << event;
    }
  }
}

}  // namespace
}  // namespace batholith
