#include "codec/decode.h"

#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

TEST(Decode, requests_are_what_the_api_server_counts) {
  struct Row {
    std::string_view name;
    std::string spec;
    ResourceList request;
  };
  const std::vector<Row> rows{
      {"nothing", "containers: [{name: a}]", {}},
      {"containers add up",
       "containers: [{name: a, resources: {requests: {cpu: 1}}}, "
       "{name: b, resources: {requests: {cpu: 500m, memory: 1Ki}}}]",
       {{"cpu", 1500}, {"memory", 1024}}},
      {"a missing request is the limit",
       "containers: [{name: a, resources: {requests: {cpu: 1}, limits: {cpu: 4, memory: 1Ki}}}]",
       {{"cpu", 1000}, {"memory", 1024}}},
      // max(1, 3) = 3.
      {"the biggest init container",
       "containers: [{name: a, resources: {requests: {cpu: 1}}}], initContainers: "
       "[{name: i, resources: {requests: {cpu: 3}}}, {name: j, resources: {requests: {cpu: 2}}}]",
       {{"cpu", 3000}}},
      // Containers 1 + sidecar 2 = 3; the second init container beside the sidecar: 2 + 2 = 4.
      {"sidecars",
       "containers: [{name: a, resources: {requests: {cpu: 1}}}], initContainers: "
       "[{name: i, resources: {requests: {cpu: 3}}}, "
       "{name: s, restartPolicy: Always, resources: {requests: {cpu: 2}}}, "
       "{name: j, resources: {requests: {cpu: 2}}}]",
       {{"cpu", 4000}}},
      {"overhead",
       "containers: [{name: a, resources: {requests: {cpu: 1}}}], overhead: {cpu: 250m, memory: 1}",
       {{"cpu", 1250}, {"memory", 1}}},
      {"the pod's own requests stand for its containers'",
       "containers: [{name: a, resources: {requests: {cpu: 1}}}], "
       "resources: {requests: {cpu: 5}}, overhead: {cpu: 1}",
       {{"cpu", 6000}}},
      {"the pod's limit counts only where nothing is asked for",
       "containers: [{name: a, resources: {requests: {cpu: 1}}}], "
       "resources: {limits: {cpu: 5, memory: 8}}",
       {{"cpu", 1000}, {"memory", 8}}},
      {"exact numbers",
       "containers: [{name: a, resources: {requests: {cpu: 0.3, memory: 129e6, "
       "nvidia.com/gpu: '2', pods: 7}}}]",
       {{"cpu", 300}, {"memory", 129'000'000}, {"nvidia.com/gpu", 2000}}},
  };
  for (const Row& row : rows) {
    const Loaded loaded = Decode(PodWith(row.spec));
    ASSERT_EQ(loaded.objects.pods.size(), 1U) << row.name << ": " << JoinedLines(loaded.refused);
    EXPECT_EQ(loaded.objects.pods[0].request, row.request) << row.name;
  }
}

// What scores count beyond the request: 100m and 200Mi for each container that names none.
TEST(Decode, containers_that_name_no_request_count_in_scores) {
  constexpr std::int64_t kMi = 1024 * 1024;
  struct Row {
    std::string name;
    std::string spec;
    std::int64_t cpu;
    std::int64_t memory;
  };
  const std::vector<Row> rows{
      {"one container", "containers: [{name: a}]", 100, 200 * kMi},
      {"one of two", "containers: [{name: a, resources: {requests: {cpu: 1}}}, {name: b}]", 100,
       400 * kMi},
      {"a limit is a request", "containers: [{name: a, resources: {limits: {cpu: 1, memory: 1}}}]",
       0, 0},
      {"zero is named", "containers: [{name: a, resources: {requests: {cpu: 0, memory: 0}}}]", 0,
       0},
      // max(50m + 100m for b, 1 of the init container) is 1 either way; memory max(1 + 200Mi,
      // 200Mi).
      {"beside a bigger init container",
       "containers: [{name: a, resources: {requests: {cpu: 50m, memory: 1}}}, {name: b}], "
       "initContainers: [{name: i, resources: {requests: {cpu: 1}}}]",
       0, 200 * kMi},
      {"the pod level stands for the containers",
       "containers: [{name: a}], resources: {requests: {cpu: 1}, limits: {cpu: 2, memory: 8Gi}}", 0,
       0},
  };
  for (const Row& row : rows) {
    const Loaded loaded = Decode(PodWith(row.spec));
    ASSERT_EQ(loaded.objects.pods.size(), 1U) << row.name << ": " << JoinedLines(loaded.refused);
    EXPECT_EQ(loaded.objects.pods[0].unnamed_cpu, row.cpu) << row.name;
    EXPECT_EQ(loaded.objects.pods[0].unnamed_memory, row.memory) << row.name;
  }
}

TEST(Decode, json_and_yaml_read_the_same) {
  const Loaded json = Decode(
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":
      {"cpu":0.3,"memory":129e6,"pods":110}}} {"apiVersion":"v1","kind":"Namespace",
      "metadata":{"name":"a"}})");
  ASSERT_TRUE(json.refused.empty()) << JoinedLines(json.refused);
  ASSERT_EQ(json.objects.nodes.size(), 1U);
  EXPECT_EQ(json.objects.nodes[0].allocatable,
            (ResourceList{{"cpu", 300}, {"memory", 129'000'000}, {"pods", 110}}));
  EXPECT_EQ(json.objects.namespaces.size(), 1U);
}

TEST(Decode, node_tells_its_taints_and_readiness) {
  const Loaded loaded = Decode(R"(
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {zone: a}}
spec: {unschedulable: true, taints: [{key: k, value: v, effect: NoExecute}]}
status:
  capacity: {cpu: 4}
  conditions: [{type: Ready, status: Unknown}]
  images: [{names: [a, b], sizeBytes: 7}]
---
{apiVersion: v1, kind: Node, metadata: {name: n2}}
)");
  ASSERT_EQ(loaded.objects.nodes.size(), 2U) << JoinedLines(loaded.refused);
  const NodeRecord& node = loaded.objects.nodes[0];
  EXPECT_TRUE(node.unschedulable);
  EXPECT_FALSE(node.ready);
  EXPECT_EQ(node.taints, (std::vector<Taint>{{"k", "v", TaintEffect::kNoExecute}}));
  EXPECT_EQ(node.allocatable, (ResourceList{{"cpu", 4000}}));
  EXPECT_EQ(node.images.at(0).size_bytes, 7);
  EXPECT_TRUE(loaded.objects.nodes[1].ready);
}

TEST(Decode, equal_constraints_are_shared_however_they_are_written) {
  const Loaded loaded = Decode(R"(
{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {tolerations: [{key: k, operator: Equal}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {tolerations: [{operator: Equal, key: k}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {tolerations: [{key: k, operator: Exists}]}}
)");
  ASSERT_EQ(loaded.objects.pods.size(), 3U) << JoinedLines(loaded.refused);
  EXPECT_EQ(loaded.objects.pods[0].constraints, loaded.objects.pods[1].constraints);
  EXPECT_NE(loaded.objects.pods[0].constraints, loaded.objects.pods[2].constraints);
}

TEST(Decode, constraints_of_a_pod) {
  const Loaded loaded = Decode(PodWith(R"(hostNetwork: true, containers: [{name: a, image: img,
    ports: [{containerPort: 80}, {containerPort: 81, hostPort: 8081, hostIP: 10.0.0.1}]}],
    topologySpreadConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway,
      labelSelector: {}, matchLabelKeys: [app, none]}],
    affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
      {topologyKey: host, labelSelector: {matchLabels: {x: y}}, mismatchLabelKeys: [app]}]}})"));
  ASSERT_EQ(loaded.objects.pods.size(), 1U) << JoinedLines(loaded.refused);
  const PodConstraints& c = *loaded.objects.pods[0].constraints;
  EXPECT_EQ(c.host_ports,
            (std::vector<HostPort>{{"0.0.0.0", "TCP", 80}, {"10.0.0.1", "TCP", 8081}}));
  ASSERT_EQ(c.topology_spread.size(), 1U);
  EXPECT_FALSE(c.topology_spread[0].hard);
  EXPECT_EQ(c.topology_spread[0].selector,
            (LabelSelector{{{"app", Requirement::Op::kIn, {"web"}}}}));
  ASSERT_EQ(c.required_anti_affinity.size(), 1U);
  EXPECT_EQ(c.required_anti_affinity[0].selector,
            (LabelSelector{
                {{"x", Requirement::Op::kIn, {"y"}}, {"app", Requirement::Op::kNotIn, {"web"}}}}));
}

TEST(Decode, priorities_come_from_classes) {
  const Loaded loaded = Decode(R"(
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 100, preemptionPolicy: Never}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: base}, value: 5, globalDefault: true}
---
{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {priorityClassName: high}}
---
{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {priorityClassName: high, priority: 7, preemptionPolicy: PreemptLowerPriority}}
---
{apiVersion: v1, kind: Pod, metadata: {name: c}}
---
{apiVersion: v1, kind: Pod, metadata: {name: d}, spec: {priorityClassName: system-node-critical}}
---
{apiVersion: v1, kind: Pod, metadata: {name: e}, spec: {priorityClassName: none}}
)");
  const std::vector<PodRecord>& pods = loaded.objects.pods;
  ASSERT_EQ(pods.size(), 5U) << JoinedLines(loaded.refused);
  EXPECT_EQ(pods[0].priority, 100);
  EXPECT_TRUE(pods[0].preemption_never);
  EXPECT_EQ(pods[1].priority, 7);
  EXPECT_FALSE(pods[1].preemption_never);
  EXPECT_EQ(pods[2].priority, 5);
  EXPECT_EQ(pods[3].priority, 2'000'001'000);
  EXPECT_EQ(pods[4].priority, std::nullopt);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_NE(loaded.warnings[0].find("default/e: spec.priorityClassName"), std::string::npos);
}

TEST(Decode, bare_pods_of_one_owner_share_a_group) {
  const Loaded loaded = Decode(R"(
apiVersion: v1
kind: PodList
items:
- metadata: &m {name: b, namespace: ns, ownerReferences: [{uid: rs, kind: ReplicaSet, name: r}],
    annotations: {scheduling.volcano.sh/queue-name: q, scheduling.volcano.sh/group-min-member: "2"}}
  spec: &s {schedulerName: volcano, nodeName: n, containers: [{name: a, resources: {requests: {cpu: 1}}}]}
- {metadata: {<<: *m, name: a}, spec: *s}
- {metadata: {name: alone, namespace: ns}, spec: {schedulerName: volcano}}
- {metadata: {name: other, namespace: ns}, spec: {}}
)");
  ASSERT_EQ(loaded.objects.pods.size(), 4U) << JoinedLines(loaded.refused);
  ASSERT_EQ(loaded.objects.pod_groups.size(), 2U);
  const PodGroupRecord& shared = loaded.objects.pod_groups[0];
  EXPECT_EQ(shared.meta.Key(), "ns/podgroup-rs");
  EXPECT_EQ(shared.min_member, 2);
  EXPECT_EQ(shared.queue, "q");
  EXPECT_EQ(shared.min_resources, (ResourceList{{"cpu", 2000}}));
  EXPECT_EQ(shared.phase, JobPhase::kRunning);
  EXPECT_TRUE(shared.made_for_pod);
  EXPECT_EQ(loaded.objects.pod_groups[1].meta.name, "podgroup-ns-alone");
  EXPECT_EQ(loaded.objects.pod_groups[1].phase, JobPhase::kPending);
  EXPECT_EQ(loaded.objects.pod_groups[1].queue, "default");
  EXPECT_EQ(loaded.objects.pods[1].group, "podgroup-rs");
  EXPECT_TRUE(loaded.objects.pods[3].group.empty());
}

// Made uids: pod a-b/c and pod a/b-c both have a-b-c; pod ns/p has what pod ns/q writes, and an
// owner.
TEST(Decode, pods_whose_uids_are_the_same_have_groups_of_their_own) {
  const Loaded loaded = Decode(R"(
apiVersion: v1
kind: PodList
items:
- {metadata: {name: c, namespace: a-b}, spec: &s {schedulerName: volcano}}
- {metadata: {name: b-c, namespace: a}, spec: *s}
- {metadata: {name: p, namespace: ns}, spec: *s}
- {metadata: {name: q, namespace: ns, uid: ns-p}, spec: *s}
- {metadata: {name: r, namespace: ns, ownerReferences: [{uid: ns-p, kind: Job, name: j}]}, spec: *s}
- {metadata: {name: t, namespace: ns, uid: ns-p-2}, spec: *s}
- {metadata: {name: u, namespace: ns, ownerReferences: [{uid: ns-p, kind: Job, name: j}]}, spec: *s}
)");
  std::vector<std::string> groups;
  for (const PodRecord& pod : loaded.objects.pods)
    groups.push_back(pod.meta.namespace_ + "/" + pod.group);
  EXPECT_EQ(groups,
            (std::vector<std::string>{"a-b/podgroup-a-b-c", "a/podgroup-a-b-c", "ns/podgroup-ns-p",
                                      "ns/podgroup-ns-p-2", "ns/podgroup-ns-p-3",
                                      "ns/podgroup-ns-p-2-2", "ns/podgroup-ns-p-3"}));
  EXPECT_EQ(loaded.objects.pod_groups.size(), 6U);
}

TEST(Decode, order_in_the_file_is_order_of_creation) {
  const Loaded loaded = Decode(R"(
{apiVersion: v1, kind: Node, metadata: {name: n}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns}}
---
{apiVersion: v1, kind: Pod, metadata: {name: old, creationTimestamp: "2025-12-31T23:00:00.5+01:00"}}
)");
  ASSERT_EQ(loaded.objects.pods.size(), 2U) << JoinedLines(loaded.refused);
  EXPECT_EQ(loaded.objects.nodes[0].meta.creation, kNow - 3599 * kSecondNs);
  EXPECT_EQ(loaded.objects.pods[0].meta.creation, kNow - 3598 * kSecondNs);
  EXPECT_EQ(loaded.objects.pods[1].meta.creation, kNow - 7200 * kSecondNs + kSecondNs / 2);
  EXPECT_EQ(loaded.objects.pods[0].meta.uid, "ns-p");
  EXPECT_EQ(loaded.objects.nodes[0].meta.uid, "n");
}

TEST(Decode, groups_and_queues_of_all_three_api_groups) {
  const Loaded loaded = Decode(R"(
{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: a}, spec: {minMember: 3, queue: q, minTaskMember: {w: 2}}, status: {phase: Inqueue}}
---
{apiVersion: scheduling.incubator.k8s.io/v1alpha1, kind: PodGroup, metadata: {name: b}, spec: {minMember: 2}}
---
{apiVersion: scheduling.sigs.dev/v1alpha2, kind: Queue, metadata: {name: q}, spec: {weight: 3}, status: {state: Closing}}
)");
  ASSERT_EQ(loaded.objects.pod_groups.size(), 2U) << JoinedLines(loaded.refused);
  EXPECT_EQ(loaded.objects.pod_groups[0].phase, JobPhase::kInqueue);
  EXPECT_EQ(loaded.objects.pod_groups[0].min_task_member.at("w"), 2);
  EXPECT_EQ(loaded.objects.pod_groups[1].queue, "default");
  EXPECT_EQ(loaded.objects.queues.at(0).weight, 3);
  EXPECT_EQ(loaded.objects.queues.at(0).state, QueueState::kClosing);
}

TEST(Decode, kinds_that_nobody_reads_are_left_out) {
  for (const std::string_view text :
       {"{apiVersion: nodeinfo.volcano.sh/v1alpha1, kind: Numatopology, metadata: {name: h}}",
        "{apiVersion: v1, kind: List, items: null}",
        "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: g}}"})
    EXPECT_TRUE(Decode(text).refused.empty()) << text;
}

}  // namespace
}  // namespace batholith
