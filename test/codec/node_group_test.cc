#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

std::string Deployment(const std::string& notes, const std::string& spec = "{replicas: 3}") {
  return "apiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\n"
         "metadata: {name: md, namespace: ns, annotations: {" +
         notes + "}}\nspec: " + spec + "\n";
}

constexpr const char* kCpu = "capacity.cluster-autoscaler.kubernetes.io/cpu: \"4\"";
constexpr const char* kMemory = "capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi";
constexpr const char* kBounds =
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: \"1\", "
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: \"9\"";

TEST(NodeGroup, a_machine_deployment_says_bounds_size_and_template) {
  const std::string prefix = "capacity.cluster-autoscaler.kubernetes.io/";
  const Loaded loaded = Decode(Deployment(
      std::string(kBounds) + ", " + kCpu + ", " + kMemory + ", " + prefix + "maxPods: \"30\", " +
      prefix + "gpu-type: nvidia.com/gpu, " + prefix + "gpu-count: \"2\", " + prefix +
      "labels: \"pool=a,zone=b\", " + prefix + "taints: \"gpu=yes:NoSchedule\""));
  ASSERT_EQ(loaded.refused, std::vector<std::string>());
  ASSERT_EQ(loaded.objects.node_groups.size(), 1U);
  const NodeGroupRecord& group = loaded.objects.node_groups[0];
  EXPECT_EQ(group.Name(), "MachineDeployment/ns/md");
  EXPECT_EQ(group.min, 1);
  EXPECT_EQ(group.max, 9);
  EXPECT_EQ(group.replicas, 3);
  ASSERT_TRUE(group.node_template.has_value());
  EXPECT_EQ(group.node_template->allocatable, (ResourceList{{"cpu", 4000},
                                                            {"memory", std::int64_t{16} << 30},
                                                            {"pods", 30},
                                                            {"nvidia.com/gpu", 2000}}));
  EXPECT_EQ(group.node_template->meta.labels.at("zone"), "b");
  EXPECT_EQ(group.node_template->taints,
            (std::vector<Taint>{{"gpu", "yes", TaintEffect::kNoSchedule}}));
}

TEST(NodeGroup, without_cpu_and_memory_nobody_knows_what_a_node_would_be) {
  const Loaded loaded = Decode(Deployment(std::string(kBounds) + ", " + kCpu));
  EXPECT_FALSE(loaded.objects.node_groups.at(0).node_template.has_value());
}

TEST(NodeGroup, a_note_alone_pauses_it) {
  const Loaded loaded = Decode(Deployment("cluster.x-k8s.io/paused: \"\""));
  EXPECT_TRUE(loaded.objects.node_groups.at(0).paused);
}

TEST(NodeGroup, what_is_wrong_is_named) {
  const auto word = [](const std::string& notes) {
    const Loaded loaded = Decode(Deployment(notes));
    return loaded.refused.empty() ? std::string("ok") : loaded.refused.front();
  };
  const std::string prefix = "capacity.cluster-autoscaler.kubernetes.io/";
  EXPECT_NE(word("cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: many")
                .find("node-group-max-size: \"many\" is not a number of nodes"),
            std::string::npos);
  EXPECT_NE(word(prefix + "cpu: four, " + kMemory).find("\"four\" is not an amount"),
            std::string::npos);
  EXPECT_NE(word(std::string(kCpu) + ", " + kMemory + ", " + prefix + "taints: \"a=b\"")
                .find("\"b\" has no effect"),
            std::string::npos);
  EXPECT_NE(word(std::string(kCpu) + ", " + kMemory + ", " + prefix + "gpu-count: \"1\"")
                .find("needs gpu-type beside it"),
            std::string::npos);
}

TEST(NodeGroup, a_machine_ties_its_node_to_its_deployment) {
  const Loaded loaded = Decode(
      "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Machine\n"
      "metadata: {name: m, namespace: ns, labels: {cluster.x-k8s.io/deployment-name: md}}\n"
      "status: {nodeRef: {name: n1}}\n");
  ASSERT_EQ(loaded.objects.machines.size(), 1U);
  EXPECT_EQ(loaded.objects.machines[0].deployment, "md");
  EXPECT_EQ(loaded.objects.machines[0].node, "n1");
}

TEST(NodeGroup, a_template_of_a_simulated_group_needs_no_name) {
  const Loaded loaded = Decode(
      "apiVersion: batholith.dev/v1\nkind: NodeGroup\nmetadata: {name: g}\n"
      "spec: {min: 1, max: 3, template: {status: {allocatable: {cpu: 4}}}}\n");
  ASSERT_EQ(loaded.refused, std::vector<std::string>());
  EXPECT_EQ(loaded.objects.node_groups.at(0).Name(), "g");
  EXPECT_EQ(loaded.objects.node_groups.at(0).replicas, 1);
  EXPECT_EQ(loaded.objects.node_groups.at(0).delay, 90'000'000'000);
}

TEST(NodeGroup, simulated_groups_of_one_input_have_a_bounded_number_of_nodes) {
  const auto group = [](const std::string& name, const std::string& size) {
    return "---\n{apiVersion: batholith.dev/v1, kind: NodeGroup, metadata: {name: " + name +
           "}, spec: {max: 2147483647, size: " + size + "}}\n";
  };
  // 15,000 + 6,000 > 20,000; the third finds room for its 5,000.
  const Loaded loaded = Decode(group("a", "15000") + group("b", "6000") + group("c", "5000") +
                               group("huge", "2147483647"));
  ASSERT_EQ(loaded.objects.node_groups.size(), 2U);
  EXPECT_EQ(loaded.objects.node_groups[1].Name(), "c");
  ASSERT_EQ(loaded.refused.size(), 2U);
  EXPECT_NE(loaded.refused[0].find("NodeGroup b: spec.size: 6000 nodes are too many: the groups of "
                                   "one input have 20000 at most"),
            std::string::npos)
      << loaded.refused[0];
  EXPECT_NE(loaded.refused[1].find("NodeGroup huge: spec.size"), std::string::npos);
}

}  // namespace
}  // namespace batholith
