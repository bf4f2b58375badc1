// Trees of CompositePodGroups, told from the objects alone: a tree starts if and only if some
// choice of its groups that is enough for each composite group has room, and what starts is enough.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "framework/cycle.h"
#include "test/property/property_env.h"

namespace batholith::property {
namespace {

constexpr std::string_view kActions = "enqueue, allocate, backfill";

using Names = std::set<std::string>;

enum class Keys : std::uint8_t { kNone, kSome, kAroundAll };

// Pods of one cpu each, so that the number of free cpus says who has room.
class CompositeMaker {
 public:
  explicit CompositeMaker(std::uint64_t seed) : random_(seed) {}

  // A tree below c0. `keys`: which composite groups keep their groups in one zone; around all: c1,
  // and all groups are below it.
  std::string All(Keys keys) {
    std::string out =
        "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: default}, "
        "spec: {weight: 1}, status: {state: Open}}\n";
    for (std::int64_t n = Number(1, 4); n > 0; --n)
      out += fmt::format(
          "---\n{{apiVersion: v1, kind: Node, metadata: {{name: n{}, labels: {{zone: z{}}}}}, "
          "status: "
          "{{allocatable: {{cpu: '{}', memory: 64Gi, pods: '20'}}}}}}\n",
          n, Number(0, 1), Number(1, 5));
    const std::int64_t composites = keys == Keys::kAroundAll ? 2 : Number(1, 4);
    for (std::int64_t c = 0; c < composites; ++c)
      out += fmt::format(
          "---\n{{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: "
          "{{name: c{}, namespace: d}}, spec: {{schedulingPolicy: {{gang: {{minGroupCount: "
          "{}}}}}{}{}}}}}\n",
          c, keys == Keys::kAroundAll && c == 0 ? 1 : Number(1, 2),
          c == 0 ? "" : fmt::format(", parentCompositePodGroupName: c{}", Number(0, c - 1)),
          (keys == Keys::kSome && Number(0, 1) == 0) || (keys == Keys::kAroundAll && c == 1)
              ? ", schedulingConstraints: {topology: [{key: zone}]}"
              : "");
    const std::int64_t lowest = keys == Keys::kAroundAll ? 1 : 0;
    for (std::int64_t g = Number(1, 6); g > 0; --g) out += Group(g, Number(lowest, composites - 1));
    return out;
  }

 private:
  // Some of them have fewer pods than their minimum.
  std::string Group(std::int64_t g, std::int64_t parent) {
    std::string out = fmt::format(
        "---\n{{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {{name: g{}, "
        "namespace: d}}, spec: {{schedulingPolicy: {{gang: {{minCount: {}}}}}, "
        "parentCompositePodGroupName: c{}}}}}\n",
        g, Number(1, 4), parent);
    for (std::int64_t p = Number(1, 5); p > 0; --p)
      out += fmt::format(
          "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: g{}-{}, namespace: d}}, spec: "
          "{{schedulerName: volcano, schedulingGroup: {{podGroupName: g{}}}, containers: [{{name: "
          "c, image: i, resources: {{requests: {{cpu: '1'}}}}}}]}}, status: {{phase: "
          "Pending}}}}\n",
          g, p, g);
    return out;
  }
  std::int64_t Number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  std::mt19937_64 random_;
};

// Whether these groups are enough for the composite group.
bool IsEnough(const ClusterObjects& objects, const CompositePodGroupRecord& composite,
              const Names& groups) {
  std::int32_t formed = 0;
  for (const PodGroupRecord& group : objects.pod_groups)
    formed += group.parent == composite.meta.name && groups.contains(group.meta.name) ? 1 : 0;
  for (const CompositePodGroupRecord& below : objects.composite_groups)
    formed += below.parent == composite.meta.name && IsEnough(objects, below, groups) ? 1 : 0;
  return formed >= composite.min_groups;
}

std::map<std::string, std::int32_t> PodsByGroup(const ClusterObjects& objects, bool only_placed) {
  std::map<std::string, std::int32_t> out;
  for (const PodRecord& pod : objects.pods) {
    if (!only_placed || !pod.node_name.empty()) ++out[pod.group.substr(0, pod.group.find('@'))];
  }
  return out;
}

// Any choice of groups that have their pods, is enough and has room.
bool MayStart(const ClusterObjects& objects, std::int64_t cpus) {
  std::map<std::string, std::int32_t> pods = PodsByGroup(objects, false);
  for (std::size_t choice = 1; choice < (std::size_t{1} << objects.pod_groups.size()); ++choice) {
    Names names;
    std::int64_t asked = 0;
    bool has_pods = true;
    for (std::size_t g = 0; g < objects.pod_groups.size(); ++g) {
      if (((choice >> g) & 1U) == 0) continue;
      const PodGroupRecord& group = objects.pod_groups[g];
      names.insert(group.meta.name);
      asked += group.min_member;
      has_pods = has_pods && pods[group.meta.name] >= group.min_member;
    }
    if (has_pods && asked <= cpus && IsEnough(objects, objects.composite_groups.front(), names))
      return true;
  }
  return false;
}

// The groups below the composite one.
Names GroupsBelow(const ClusterObjects& objects, const std::string& composite) {
  Names out;
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (group.parent == composite) out.insert(group.meta.name);
  }
  for (const CompositePodGroupRecord& below : objects.composite_groups) {
    if (below.parent == composite) out.merge(GroupsBelow(objects, below.meta.name));
  }
  return out;
}

void CheckCompositesWhole(const ClusterObjects& objects) {
  std::map<std::string, std::int32_t> placed = PodsByGroup(objects, true);
  Names started;
  for (const PodGroupRecord& group : objects.pod_groups) {
    const std::int32_t pods = placed[group.meta.name];
    if (pods == 0) continue;
    EXPECT_GE(pods, group.min_member) << group.meta.name;
    started.insert(group.meta.name);
  }
  std::map<std::string, std::string> zones;  // by node
  for (const NodeRecord& node : objects.nodes)
    zones[node.meta.name] = node.meta.labels.find("zone")->second;
  for (const CompositePodGroupRecord& composite : objects.composite_groups) {
    const Names below = GroupsBelow(objects, composite.meta.name);
    bool any = false;
    for (const std::string& group : below) any = any || started.contains(group);
    EXPECT_TRUE(!any || IsEnough(objects, composite, started)) << composite.meta.name;
    if (!composite.network_topology) continue;
    Names in;
    for (const PodRecord& pod : objects.pods) {
      if (!pod.node_name.empty() && below.contains(pod.group.substr(0, pod.group.find('@'))))
        in.insert(zones[pod.node_name]);
    }
    EXPECT_LE(in.size(), 1U) << composite.meta.name;
  }
}

// Two sessions. What the first one bound.
std::size_t RunTwice(ClusterObjects& objects, const Pipeline& pipeline) {
  std::size_t first = 0;
  for (int session = 0; session < 2; ++session) {
    CycleOptions options;
    options.verify = true;
    const CycleResult result = RunCycle(*SnapshotOf(objects), pipeline, options);
    const std::size_t bound = BindAll(result, objects);
    if (session == 0) first = bound;
    CheckCompositesWhole(objects);
  }
  return first;
}

std::map<std::string, std::int64_t> CpusByZone(const ClusterObjects& objects) {
  std::map<std::string, std::int64_t> out;
  for (const NodeRecord& node : objects.nodes)
    out[node.meta.labels.find("zone")->second] += node.allocatable.at("cpu") / 1000;
  return out;
}

void ExpectSomeStart(std::int64_t started) {
  if (Rounds() < 100) return;
  EXPECT_GT(started, Rounds() / 10);
  EXPECT_LT(started, Rounds());
}

// Whether a tree starts is what `may_start(objects)` says.
template <typename MayStart>
void CheckStarts(Keys keys, MayStart may_start) {
  const Pipeline pipeline = GangPipeline(kActions);
  std::int64_t started = 0;
  ForEachSeed([&](std::uint64_t seed) {
    ClusterObjects objects = ObjectsOf(CompositeMaker(seed).All(keys));
    const bool expected = may_start(objects);
    EXPECT_EQ(RunTwice(objects, pipeline) > 0, expected);
    started += expected ? 1 : 0;
  });
  ExpectSomeStart(started);
}

TEST(CompositeProperty, a_tree_starts_if_and_only_if_some_of_its_groups_are_enough_and_have_room) {
  CheckStarts(Keys::kNone, [](const ClusterObjects& objects) {
    std::int64_t cpus = 0;
    for (const auto& [zone, in] : CpusByZone(objects)) cpus += in;
    return MayStart(objects, cpus);
  });
}

TEST(CompositeProperty, a_tree_in_one_zone_starts_if_and_only_if_a_zone_has_room) {
  CheckStarts(Keys::kAroundAll, [](const ClusterObjects& objects) {
    return std::ranges::any_of(CpusByZone(objects),
                               [&](const auto& zone) { return MayStart(objects, zone.second); });
  });
}

TEST(CompositeProperty, each_composite_group_stays_in_one_zone) {
  const Pipeline pipeline = GangPipeline(kActions);
  std::int64_t started = 0;
  ForEachSeed([&](std::uint64_t seed) {
    ClusterObjects objects = ObjectsOf(CompositeMaker(seed).All(Keys::kSome));
    started += RunTwice(objects, pipeline) > 0 ? 1 : 0;
  });
  ExpectSomeStart(started);
}

}  // namespace
}  // namespace batholith::property
