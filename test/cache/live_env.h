#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "cache/live_cluster.h"
#include "sim/run/run_sessions.h"

namespace batholith {

inline constexpr TimeNs kNow = kDefaultNow;
inline constexpr TimeNs kSecond = 1'000'000'000;
inline constexpr const char* kPod = "ns/p";

inline PodRecord Pod(const std::string& name, const std::string& uid,
                     const std::string& node = "") {
  PodRecord pod;
  pod.meta.namespace_ = "ns";
  pod.meta.name = name;
  pod.meta.uid = uid;
  pod.meta.creation = kNow - 100 * kSecond;
  pod.scheduler_name = "volcano";
  pod.group = "g";
  pod.node_name = node;
  pod.phase = node.empty() ? PodPhase::kPending : PodPhase::kRunning;
  pod.request = {{"cpu", 1000}};
  pod.grace_period_s = 30;
  static const auto constraints = std::make_shared<const PodConstraints>();
  pod.constraints = constraints;
  return pod;
}

inline PodGroupRecord Group(const std::string& name, const std::string& uid, bool made) {
  PodGroupRecord group;
  group.meta.namespace_ = "ns";
  group.meta.name = name;
  group.meta.uid = uid;
  group.queue = "default";
  group.min_member = 1;
  group.made_for_pod = made;
  return group;
}

inline CycleResult Binding(const std::string& pod, const std::string& node) {
  CycleResult result;
  result.binds.push_back({pod, "ns/g", "default", node, "allocate"});
  return result;
}

inline const PodRecord* FindPod(const LiveCluster& cluster, const std::string& key = kPod) {
  const auto& pods = cluster.objects().pods;
  const auto it = std::ranges::find(pods, key, [](const PodRecord& p) { return p.meta.Key(); });
  return it == pods.end() ? nullptr : &*it;
}

inline const PodGroupRecord* FindGroup(const LiveCluster& cluster, const std::string& key) {
  const auto& all = cluster.objects().pod_groups;
  const auto it = std::ranges::find(all, key, [](const PodGroupRecord& g) { return g.meta.Key(); });
  return it == all.end() ? nullptr : &*it;
}

// A cluster with one pod `ns/p` of uid u.
struct OnePod {
  explicit OnePod(const std::string& node = "") { Put(Pod("p", "u", node)); }

  void Put(PodRecord pod) { cluster.Apply(ObjectPut{std::move(pod)}); }
  const PodRecord& pod() const { return *FindPod(cluster); }

  LiveCluster cluster{SnapshotOptions{}};
};

}  // namespace batholith
