#include "test/confs/irrelevant.h"

#include <memory>
#include <utility>
#include <vector>

#include "codec/pod.h"
#include "test/property/draws.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

// Older or younger than all, or among them.
ObjectMeta MetaOf(std::string name, std::string namespace_, Draws& draws) {
  ObjectMeta meta;
  meta.name = std::move(name);
  meta.namespace_ = std::move(namespace_);
  meta.uid = "irrelevant";
  constexpr TimeNs kStart = 1'700'000'000;  // of random clusters
  meta.creation = kSecond * draws.Between(kStart - 10, kStart + 200);
  if (draws.Chance(30)) meta.creation = kSecond * (kStart + 99'000'000);
  return meta;
}

// Whether slack makes its placeholders like this pod too.
bool GivesShape(const PodRecord& pod) {
  return pod.phase != PodPhase::kSucceeded && pod.phase != PodPhase::kFailed &&
         pod.meta.owner->kind != "DaemonSet" &&
         !pod.meta.annotations.contains("kubernetes.io/config.mirror") &&
         !pod.meta.annotations.contains("slack.batholith.dev/exclude");
}

}  // namespace

ClusterObjects WithIrrelevantNode(ClusterObjects objects, std::uint64_t seed) {
  Draws draws(seed);
  NodeRecord node;
  node.meta = MetaOf("irrelevant", "", draws);
  node.unschedulable = true;
  node.ready = false;
  node.taints.push_back({"node.kubernetes.io/not-ready", "", TaintEffect::kNoExecute});
  node.allocatable = {{"cpu", 0}, {"memory", 0}, {"pods", 0}};
  objects.nodes.push_back(std::move(node));
  return objects;
}

ClusterObjects WithIrrelevantQueue(ClusterObjects objects, std::uint64_t seed) {
  Draws draws(seed);
  QueueRecord queue;
  queue.meta = MetaOf("irrelevant", "", draws);
  queue.weight = static_cast<std::int32_t>(draws.Between(1, 100));
  if (draws.Chance(30)) queue.priority = static_cast<std::int32_t>(draws.Between(0, 100));
  if (draws.Chance(30)) queue.capability["cpu"] = 1000 * draws.Between(1, 9);
  if (draws.Chance(30)) queue.reclaimable = draws.Chance(50);
  objects.queues.push_back(std::move(queue));
  return objects;
}

ClusterObjects WithIrrelevantPod(ClusterObjects objects, Idle idle, std::uint64_t seed) {
  Draws draws(seed);
  PodRecord pod;
  pod.meta = MetaOf("irrelevant", "nobodys", draws);
  pod.scheduler_name = "default-scheduler";
  PodConstraints constraints;
  constraints.signature = SignatureOf(constraints);
  pod.constraints = std::make_shared<const PodConstraints>(std::move(constraints));
  std::vector<const PodRecord*> alike;
  for (const PodRecord& other : objects.pods) {
    if (GivesShape(other)) alike.push_back(&other);
  }
  if (!alike.empty()) pod.request = draws.Of(alike)->request;
  if (idle == Idle::kFinished) {
    pod.phase = draws.Chance(50) ? PodPhase::kSucceeded : PodPhase::kFailed;
    if (!objects.nodes.empty()) pod.node_name = draws.Of(objects.nodes).meta.name;
  }
  objects.pods.push_back(std::move(pod));
  return objects;
}

}  // namespace batholith::property
