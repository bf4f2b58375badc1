// What is bound under a hard topology lies in one domain, told from the objects alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "framework/cycle.h"
#include "test/property/property_env.h"

namespace batholith::property {
namespace {

class TopologyMaker {
 public:
  explicit TopologyMaker(std::uint64_t seed) : random_(seed) {}

  // Racks of up to four nodes in halls, some of them in none; gangs that ask for tier 1, 2 or any.
  ClusterObjects Make() {
    std::string text =
        "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: "
        "{name: default}, spec: {weight: 1}, status: {state: Open}}\n";
    const std::int64_t racks = Number(1, 4);
    std::array<std::string, 2> halls;
    for (std::int64_t r = 0; r < racks; ++r) {
      std::string members;
      for (std::int64_t n = Number(1, 4); n > 0; --n) {
        const std::string name = fmt::format("r{}n{}", r, n);
        text += fmt::format(
            "---\n{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, status: {{allocatable: "
            "{{cpu: '{}', memory: 64Gi, pods: '9'}}}}}}\n",
            name, Number(1, 4));
        members += Member("Node", name);
      }
      text += HyperNode(fmt::format("rack-{}", r), 1, members);
      if (Number(0, 3) > 0)
        halls[static_cast<std::size_t>(Number(0, 1))] +=
            Member("HyperNode", fmt::format("rack-{}", r));
    }
    for (std::size_t h = 0; h < halls.size(); ++h)
      text += HyperNode(fmt::format("hall-{}", h), 2, halls[h]);
    for (std::int64_t g = 0; g < Number(1, 5); ++g) text += Gang(g);
    return ObjectsOf(text);
  }

 private:
  std::int64_t Number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  static std::string Member(std::string_view type, const std::string& name) {
    return fmt::format("{{type: {}, selector: {{exactMatch: {{name: {}}}}}}},", type, name);
  }
  static std::string HyperNode(const std::string& name, int tier, const std::string& members) {
    return fmt::format(
        "---\n{{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {{name: {}}}, "
        "spec: {{tier: {}, members: [{}]}}}}\n",
        name, tier, members);
  }
  std::string Gang(std::int64_t g) {
    const std::int64_t pods = Number(1, 6);
    const std::array<std::string, 3> topologies{"{mode: hard, highestTierAllowed: 1}",
                                                "{mode: hard, highestTierAllowed: 2}",
                                                "{mode: soft}"};
    std::string out = fmt::format(
        "---\n{{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {{name: g{}, "
        "namespace: d}}, spec: {{minMember: {}, queue: default, networkTopology: {}}}, status: "
        "{{phase: Inqueue}}}}\n",
        g, Number(1, pods), topologies[static_cast<std::size_t>(Number(0, 2))]);
    for (std::int64_t p = 0; p < pods; ++p)
      out += fmt::format(
          "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: g{}-{}, namespace: d, annotations: "
          "{{scheduling.k8s.io/group-name: g{}}}}}, spec: {{schedulerName: volcano, containers: "
          "[{{name: c, image: i, resources: {{requests: {{cpu: '{}'}}}}}}]}}, status: {{phase: "
          "Pending}}}}\n",
          g, p, g, Number(1, 2));
    return out;
  }

  std::mt19937_64 random_;
};

// The nodes of each HyperNode of a tier up to this one.
std::vector<std::set<std::string>> DomainsUpTo(const ClusterObjects& objects, std::int32_t tier) {
  std::map<std::string, std::set<std::string>> nodes;
  for (const int pass : {1, 2}) {
    for (const HyperNodeRecord& h : objects.hyper_nodes) {
      if (h.tier != pass) continue;
      for (const HyperNodeMember& m : h.members) {
        if (m.is_node) {
          nodes[h.meta.name].insert(m.name);
        } else {
          nodes[h.meta.name].insert(nodes[m.name].begin(), nodes[m.name].end());
        }
      }
    }
  }
  std::vector<std::set<std::string>> out;
  for (const HyperNodeRecord& h : objects.hyper_nodes) {
    if (h.tier <= tier) out.push_back(nodes[h.meta.name]);
  }
  return out;
}

void CheckDomains(const ClusterObjects& objects) {
  for (const PodGroupRecord& group : objects.pod_groups) {
    const NetworkTopology topology = group.network_topology.value_or(NetworkTopology());
    if (!topology.limited()) continue;
    std::set<std::string> held;
    for (const PodRecord& pod : objects.pods) {
      if (pod.group == group.meta.name && !pod.node_name.empty()) held.insert(pod.node_name);
    }
    const std::vector<std::set<std::string>> domains = DomainsUpTo(objects, *topology.highest_tier);
    EXPECT_TRUE(held.empty() || std::ranges::any_of(domains,
                                                    [&](const auto& domain) {
                                                      return std::ranges::includes(domain, held);
                                                    }))
        << group.meta.Key() << " is in no one domain of tier " << *topology.highest_tier;
  }
}

TEST(TopologyProperty, what_is_bound_lies_in_one_domain_and_gangs_are_whole) {
  const Pipeline pipeline = GangPipeline("allocate, backfill, preempt", "network-topology-aware");
  std::size_t binds = 0;
  ForEachSeed([&](std::uint64_t seed) {
    ClusterObjects objects = TopologyMaker(seed).Make();
    for (int session = 0; session < 2; ++session) {
      CycleOptions options;
      options.verify = true;
      options.threads = 1;
      const CycleResult result = RunCycle(*SnapshotOf(objects), pipeline, options);
      for (const int threads : {2, 8}) {
        options.threads = threads;
        ASSERT_TRUE(RunCycle(*SnapshotOf(objects), pipeline, options) == result);
      }
      binds += result.binds.size();
      std::map<std::string, std::int32_t> placed;
      for (const Bind& bind : result.binds) {
        for (PodRecord& pod : objects.pods) {
          if (pod.meta.Key() != bind.pod) continue;
          pod.node_name = bind.node;
          pod.phase = PodPhase::kRunning;
        }
      }
      for (const PodRecord& pod : objects.pods) placed[pod.group] += pod.node_name.empty() ? 0 : 1;
      for (const PodGroupRecord& group : objects.pod_groups) {
        const std::int32_t have = placed[group.meta.name];
        EXPECT_TRUE(have == 0 || have >= group.min_member) << group.meta.Key();
      }
      CheckDomains(objects);
    }
  });
  if (Rounds() >= 100) {
    EXPECT_GT(binds, static_cast<std::size_t>(Rounds()));
  }
}

}  // namespace
}  // namespace batholith::property
