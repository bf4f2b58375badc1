// Objects that servers store and that cannot be read in full, from their text to what sessions do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <utility>

#include "actions/builtin.h"
#include "codec/object_reader.h"
#include "codec/yaml.h"
#include "conf/compile.h"
#include "conf/load.h"
#include "framework/cycle.h"
#include "plugins/builtin.h"
#include "test/cache/live_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kConf = R"(
actions: "allocate, backfill"
tiers:
- plugins: [{name: gang}]
- plugins: [{name: predicates}]
)";

// A live cluster that is told objects as texts, in YAML.
class Live {
 public:
  Live() {
    Put("{apiVersion: v1, kind: Node, metadata: {name: n1, uid: n1}, "
        "status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}}");
  }

  void Put(const std::string& text) {
    auto documents = ParseDocuments(text, "f.yaml");
    ASSERT_TRUE(documents) << documents.error().message;
    auto read = reader_.ReadObject(documents->front());
    ASSERT_TRUE(read) << read.error().message;
    for (ObjectRecord& record : read->records) cluster.Apply(ObjectPut{std::move(record)});
  }
  void Running(const std::string& name, const std::string& spec) {
    Put("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ns, uid: " + name +
        "}, spec: {nodeName: n1, " + spec + "}, status: {phase: Running}}");
  }
  void Waiting(const std::string& name, const std::string& cpu, const std::string& spec = "x: y") {
    Put("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ns, uid: " + name +
        "}, spec: {schedulerName: volcano, containers: [{resources: {requests: {cpu: " + cpu +
        "}}}], " + spec + "}}");
  }

  CycleResult Decide() {
    static const Result<Pipeline> pipeline =
        Compile(*ParseConf(kConf, "conf", {BuiltinPlugins(), BuiltinActions()}));
    const auto snapshot = cluster.Take(kNow);
    return RunCycle(*snapshot, *pipeline);
  }
  std::vector<std::string> Bound() {
    std::vector<std::string> out;
    for (const Bind& bind : Decide().binds) out.push_back(bind.pod + " " + bind.node);
    return out;
  }
  // What the session says of a pod that waits.
  std::string Told(const std::string& pod) {
    for (const PodStatus& status : Decide().pods) {
      if (status.key == "ns/" + pod) return status.reason + ": " + status.message;
    }
    return "nothing";
  }

  LiveCluster cluster{SnapshotOptions{}};

 private:
  ObjectReader reader_{{"volcano"}, "default"};
};

// Each of these pods was refused once, and its node given away a second time: 4 - 3 < 2.
TEST(LiveFlaws, a_running_pod_that_says_something_odd_is_counted_on_its_node) {
  const std::string three = "containers: [{resources: {requests: {cpu: 3}}}], ";
  const auto affinity = [](const std::string& expression) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
           "{nodeSelectorTerms: [{matchExpressions: [" +
           expression + "]}]}}}";
  };
  for (const std::string& odd : {
           std::string("terminationGracePeriodSeconds: 2147483648"),
           std::string("terminationGracePeriodSeconds: 9223372036854775807"),
           std::string("terminationGracePeriodSeconds: -1"),
           affinity("{key: k, operator: Gt, values: [much]}"),
           affinity("{key: k, operator: Lt, values: ['']}"),
           affinity("{key: k, operator: Between, values: ['1', '2']}"),
           affinity("{key: k, operator: In, values: []}"),
           affinity("{operator: Exists}"),
           std::string(
               "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
               "[{topologyKey: '', labelSelector: {}}]}}"),
           std::string("tolerations: [{key: k, operator: Gt, value: '5'}]"),
           std::string("tolerations: [{key: k, operator: Exists, value: v}]"),
           std::string("tolerations: [{key: k, operator: Exists, effect: NoAdmit}]"),
           std::string("topologySpreadConstraints: [{maxSkew: 0, topologyKey: z, "
                       "whenUnsatisfiable: Maybe}]"),
           std::string("preemptionPolicy: Politely"),
           std::string("initContainers: [{name: i, restartPolicy: Sometimes}]"),
           std::string("overhead: {memory: 1e30}"),
           std::string("hostNetwork: true, ephemeralContainers: 7, volumes: [null, {name: 7}]"),
           std::string("priority: 99999999999"),
           std::string("nodeSelector: [], schedulingGates: [{name: 5}]"),
       }) {
    Live live;
    live.Running("runs", three + odd);
    live.Waiting("waits", "2");
    EXPECT_THAT(live.Bound(), IsEmpty()) << odd;
    EXPECT_THAT(live.Told("waits"), HasSubstr("Insufficient cpu")) << odd;
  }
}

// What a session gives it would have to be written to its claims, which nobody does yet; a
// simulated cluster does.
TEST(LiveFlaws, a_pod_with_a_claim_for_a_device_waits_in_a_live_cluster) {
  Live live;
  live.Waiting("with", "1", "resourceClaims: [{name: gpu, resourceClaimName: gpu-0}]");
  live.Waiting("without", "1");
  EXPECT_THAT(live.Bound(), ElementsAre("ns/without n1"));
  EXPECT_THAT(live.Told("with"),
              HasSubstr("Unsupported: spec.resourceClaims names gpu: this build does not do "
                        "device-claims yet"));
}

TEST(LiveFlaws, gt_of_no_number_matches_no_node_and_the_other_term_counts) {
  const auto spec = [](const std::string& terms) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
           "{nodeSelectorTerms: [" +
           terms + "]}}}";
  };
  const std::string no_number = "{matchExpressions: [{key: k, operator: Gt, values: [much]}]}";
  const std::string n1 = "{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}";
  Live live;
  live.Waiting("one", "1", spec(no_number));
  live.Waiting("either", "1", spec(no_number + ", " + n1));
  EXPECT_THAT(live.Bound(), testing::ElementsAre("ns/either n1"));
  EXPECT_THAT(live.Told("one"), HasSubstr("didn't match Pod's node affinity/selector"));
}

TEST(LiveFlaws, a_pod_waits_with_the_field_and_the_value_that_nobody_understands) {
  const std::pair<std::string, std::string> cases[] = {
      {"topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: Maybe}]",
       "Unreadable: spec.topologySpreadConstraints[0].whenUnsatisfiable: \"Maybe\" must be one of"},
      {"tolerations: [{key: k, operator: Gt, value: '5'}]",
       "Unreadable: spec.tolerations[0].operator: \"Gt\" must be one of Exists, Equal"},
      {"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
       "[{topologyKey: z, labelSelector: {matchExpressions: [{key: a, operator: Like}]}}]}}",
       "labelSelector.matchExpressions[0].operator: \"Like\" must be one of"},
      {"hostNetwork: true, initContainers: [{restartPolicy: Always, ports: [{hostPort: 70000}]}]",
       "spec.initContainers[0].ports[0].hostPort: 70000 is out of range 0 to 65535"},
      {"nodeSelector: much", "Unreadable: spec.nodeSelector: must be an object"},
  };
  for (const auto& [spec, text] : cases) {
    Live live;
    live.Waiting("odd", "1", spec);
    live.Waiting("plain", "1");
    EXPECT_THAT(live.Bound(), testing::ElementsAre("ns/plain n1")) << spec;
    EXPECT_THAT(live.Told("odd"), HasSubstr(text));
  }
}

TEST(LiveFlaws, a_node_takes_no_more_pods_while_the_requests_of_one_on_it_are_not_known) {
  Live live;
  live.Running("odd", "containers: [{resources: {requests: {cpu: {}}}}]");
  live.Waiting("waits", "1");
  EXPECT_THAT(live.Bound(), IsEmpty());
  EXPECT_THAT(live.Told("waits"),
              HasSubstr("were closed: they, or pods on them, could not be read"));
  live.cluster.Apply(GoneOf<PodRecord>("ns/odd", "odd"));
  EXPECT_THAT(live.Bound(), testing::ElementsAre("ns/waits n1"));
}

// 4 - 3 leaves room for 1 and not for 2.
TEST(LiveFlaws, a_pod_that_cannot_be_read_any_more_keeps_its_last_requests_and_its_node) {
  Live live;
  live.Running("odd", "containers: [{resources: {requests: {cpu: 3}}}]");
  live.Put(
      "{apiVersion: v1, kind: Pod, metadata: {name: odd, namespace: ns, uid: odd}, "
      "spec: {nodeName: 7, containers: 7}, status: {phase: Running}}");
  live.Waiting("two", "2");
  EXPECT_THAT(live.Bound(), IsEmpty());
  live.Waiting("one", "1");
  EXPECT_THAT(live.Bound(), testing::ElementsAre("ns/one n1"));
}

TEST(LiveFlaws, a_node_that_cannot_be_read_is_closed) {
  Live live;
  live.Put(
      "{apiVersion: v1, kind: Node, metadata: {name: n1, uid: n1}, spec: {taints: [{key: k, "
      "effect: NoAdmit}]}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}}");
  live.Waiting("waits", "1");
  EXPECT_THAT(live.Bound(), IsEmpty());
  EXPECT_THAT(live.Told("waits"), HasSubstr("were closed"));
}

TEST(LiveFlaws, pods_of_a_group_or_a_queue_that_cannot_be_read_wait) {
  const std::string pod =
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: p, annotations: "
      "{scheduling.k8s.io/group-name: g}}, spec: {schedulerName: volcano, containers: [{resources: "
      "{requests: {cpu: 1}}}]}}";
  const std::string head = "{apiVersion: scheduling.volcano.sh/v1beta1, ";
  Live group;
  group.Put(pod);
  group.Put(head +
            "kind: PodGroup, metadata: {name: g, namespace: ns, uid: g}, spec: {minMember: "
            "[1]}, status: {phase: Inqueue}}");
  EXPECT_THAT(group.Bound(), IsEmpty());
  EXPECT_THAT(group.Told("p"), HasSubstr("its PodGroup g cannot be read: spec.minMember: must be a "
                                         "whole number, is a list"));
  Live queue;
  queue.Put(pod);
  queue.Put(head +
            "kind: PodGroup, metadata: {name: g, namespace: ns, uid: g}, spec: {minMember: 1, "
            "queue: child}, status: {phase: Inqueue}}");
  queue.Put(head + "kind: Queue, metadata: {name: child, uid: c}, spec: {parent: q}}");
  queue.Put(head + "kind: Queue, metadata: {name: q, uid: q}, spec: {capability: {cpu: much}}}");
  EXPECT_THAT(queue.Bound(), IsEmpty());
  EXPECT_THAT(queue.Told("p"),
              HasSubstr("queue q cannot be read: spec.capability.cpu: \"much\" is not a "
                        "quantity"));
}

}  // namespace
}  // namespace batholith
