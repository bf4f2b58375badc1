// Groups of scheduling.k8s.io with a topology key, told from the objects alone: each lies on nodes
// with one value of its label, and one that is alone starts where any value has room for it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>

#include "framework/cycle.h"
#include "test/property/property_env.h"

namespace batholith::property {
namespace {

class TopologyKeyMaker {
 public:
  explicit TopologyKeyMaker(std::uint64_t seed) : random_(seed) {}

  // Nodes in zones, racks and neither.
  std::string Nodes() {
    std::string out =
        "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: default}, "
        "spec: {weight: 1}, status: {state: Open}}\n";
    for (std::int64_t n = Number(1, 8); n > 0; --n) {
      std::string labels;
      if (Number(0, 3) > 0) labels += fmt::format("zone: z{}, ", Number(0, 2));
      if (Number(0, 3) > 0) labels += fmt::format("rack: r{}, ", Number(0, 3));
      out += fmt::format(
          "---\n{{apiVersion: v1, kind: Node, metadata: {{name: n{}, labels: {{{}}}}}, status: "
          "{{allocatable: {{cpu: '{}', memory: 64Gi, pods: '9'}}}}}}\n",
          n, labels, Number(1, 4));
    }
    return out;
  }
  // `size`: cpus of each pod; 0: 1 or 2 of them.
  std::string Group(const std::string& name, const std::string& more, std::int64_t size) {
    const std::int64_t pods = Number(1, 5);
    const std::string policy =
        Number(0, 4) == 0 ? "basic: {}" : fmt::format("gang: {{minCount: {}}}", Number(1, pods));
    std::string out = fmt::format(
        "---\n{{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {{name: {}, "
        "namespace: d}}, spec: {{schedulingPolicy: {{{}}}{}}}}}\n",
        name, policy, more);
    for (std::int64_t p = 0; p < pods; ++p) {
      out += fmt::format(
          "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {}-{}, namespace: d}}, spec: "
          "{{schedulerName: volcano, schedulingGroup: {{podGroupName: {}}}, containers: [{{name: "
          "c, image: i, resources: {{requests: {{cpu: '{}'}}}}}}]}}, status: {{phase: "
          "Pending}}}}\n",
          name, p, name, size > 0 ? size : Number(1, 2));
    }
    return out;
  }
  std::string Composite(const std::string& name) {
    return fmt::format(
        "---\n{{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {{name: "
        "{}, namespace: d}}, spec: {{schedulingPolicy: {{gang: {{minGroupCount: {}}}}}{}}}}}\n",
        name, Number(1, 2), Key());
  }
  std::string Key() {
    const std::array<std::string, 4> keys{"zone", "rack", "hall", ""};
    const std::string& key = keys[static_cast<std::size_t>(Number(0, 3))];
    return key.empty() ? key
                       : fmt::format(", schedulingConstraints: {{topology: [{{key: {}}}]}}", key);
  }
  std::int64_t Number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

 private:
  std::mt19937_64 random_;
};

const std::string* Value(const ClusterObjects& objects, const std::string& node,
                         const std::string& label) {
  for (const NodeRecord& n : objects.nodes) {
    if (n.meta.name != node) continue;
    const auto it = n.meta.labels.find(label);
    return it == n.meta.labels.end() ? nullptr : &it->second;
  }
  return nullptr;
}

// Whether the pods of these groups that have a node are on nodes with one value.
void CheckOneValue(const ClusterObjects& objects, const std::set<std::string>& groups,
                   const std::string& label) {
  std::set<std::string> values;
  for (const PodRecord& pod : objects.pods) {
    if (pod.node_name.empty() || !groups.contains(pod.group)) continue;
    const std::string* value = Value(objects, pod.node_name, label);
    EXPECT_NE(value, nullptr) << pod.meta.Key() << " is on " << pod.node_name << " without "
                              << label;
    if (value != nullptr) values.insert(*value);
  }
  EXPECT_LE(values.size(), 1U) << fmt::format("{}", fmt::join(groups, " ")) << ": " << label;
}

void CheckAll(const ClusterObjects& objects) {
  std::map<std::string, std::set<std::string>> parts;
  for (const PodGroupRecord& group : objects.pod_groups) {
    const std::string name = group.meta.name + "@scheduling.k8s.io";
    parts[group.parent].insert(name);
    if (group.network_topology) CheckOneValue(objects, {name}, group.network_topology->node_label);
  }
  for (const CompositePodGroupRecord& composite : objects.composite_groups) {
    if (composite.network_topology)
      CheckOneValue(objects, parts[composite.meta.name], composite.network_topology->node_label);
  }
}

TEST(TopologyKeyProperty, each_group_lies_on_nodes_with_one_value_of_its_label) {
  const Pipeline pipeline = GangPipeline("enqueue, allocate, backfill, preempt");
  std::size_t binds = 0;
  ForEachSeed([&](std::uint64_t seed) {
    TopologyKeyMaker maker(seed);
    std::string text = maker.Nodes();
    for (int g = 0; g < 3; ++g) text += maker.Group(fmt::format("g{}", g), maker.Key(), 0);
    text += maker.Composite("c");
    for (int g = 0; g < 2; ++g)
      text +=
          maker.Group(fmt::format("c{}", g), ", parentCompositePodGroupName: c" + maker.Key(), 0);
    ClusterObjects objects = ObjectsOf(text);
    for (int session = 0; session < 2; ++session) {
      CycleOptions options;
      options.verify = true;
      options.threads = 1;
      const CycleResult result = RunCycle(*SnapshotOf(objects), pipeline, options);
      options.threads = 8;
      ASSERT_TRUE(RunCycle(*SnapshotOf(objects), pipeline, options) == result);
      binds += BindAll(result, objects);
      CheckAll(objects);
    }
  });
  if (Rounds() >= 100) {
    EXPECT_GT(binds, static_cast<std::size_t>(Rounds()));
  }
}

TEST(TopologyKeyProperty, a_group_starts_if_and_only_if_one_value_has_room_for_its_minimum) {
  const Pipeline pipeline = GangPipeline("enqueue, allocate, backfill, preempt");
  ForEachSeed([&](std::uint64_t seed) {
    TopologyKeyMaker maker(seed);
    const std::int64_t size = maker.Number(1, 2);
    const std::string nodes = maker.Nodes();
    ClusterObjects objects = ObjectsOf(
        nodes + maker.Group("g", ", schedulingConstraints: {topology: [{key: zone}]}", size));
    std::map<std::string, std::int64_t> places;  // by zone
    for (const NodeRecord& node : objects.nodes) {
      const std::string* zone = Value(objects, node.meta.name, "zone");
      if (zone != nullptr) places[*zone] += node.allocatable.at("cpu") / (size * 1000);
    }
    std::int64_t most = 0;
    for (const auto& [zone, count] : places) most = std::max(most, count);
    const std::int64_t minimum = std::max(objects.pod_groups.front().min_member, 1);
    const auto pods = static_cast<std::int64_t>(objects.pods.size());
    const std::size_t bound = BindAll(RunCycle(*SnapshotOf(objects), pipeline, {}), objects);
    if (most < minimum) {
      EXPECT_EQ(bound, 0U);
    } else {
      EXPECT_GE(bound, static_cast<std::size_t>(minimum));
      // Of pods of one cpu the sums of a zone tell whether all find a place.
      if (size == 1 && most >= pods) {
        EXPECT_EQ(bound, static_cast<std::size_t>(pods));
      }
    }
    CheckAll(objects);
  });
}

}  // namespace
}  // namespace batholith::property
