#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "scheduler/compile_conf.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"
#include "test/quota/quota_bench.h"

namespace batholith {

// A small cluster of quotas on which sessions run. Each pod is a group of its own; pods are as old
// as they are early.
class QuotaCluster {
 public:
  ClusterObjects objects;

  NodeRecord& AddNode(const std::string& name, const YAML::Node& allocatable) {
    NodeRecord& node = objects.nodes.emplace_back();
    node.meta.name = node.meta.uid = name;
    node.allocatable = AmountsOf(allocatable);
    node.allocatable["pods"] = 110;
    return node;
  }

  PodRecord& AddPod(const std::string& namespace_, const std::string& name, ResourceList request,
                    std::int32_t priority, const std::string& node = "") {
    const bool runs = !node.empty();
    const std::string priority_class = "p" + std::to_string(priority);
    NeedPriority(priority_class, priority);
    const TimeNs creation = kDefaultNow - kDay + ++made_ * kSecond;
    PodGroupRecord& group = objects.pod_groups.emplace_back();
    PodRecord& pod = objects.pods.emplace_back();
    for (ObjectMeta* meta : {&group.meta, &pod.meta}) {
      meta->name = name;
      meta->namespace_ = namespace_;
      meta->uid = namespace_ + "/" + name;
      meta->creation = creation;
    }
    group.min_member = 1;
    group.queue = "default";
    group.priority_class = priority_class;
    group.phase = runs ? JobPhase::kRunning : JobPhase::kInqueue;
    pod.group = name;
    pod.scheduler_name = "volcano";
    pod.priority = priority;
    pod.priority_class = priority_class;
    pod.request = std::move(request);
    pod.constraints = std::make_shared<const PodConstraints>();
    pod.node_name = node;
    pod.phase = runs ? PodPhase::kRunning : PodPhase::kPending;
    if (runs) pod.started_at = kDefaultNow - kDay;
    pod.grace_period_s = 0;
    return pod;
  }

  // {name, namespace, request, priority, start (s), label, non_preemptible} of a vector.
  PodRecord& AddPod(const YAML::Node& in, const std::string& node = "") {
    PodRecord& pod = AddPod(TextOf(in["namespace"], "ns"), TextOf(in["name"], "preemptor"),
                            AmountsOf(in["request"]), in["priority"].as<std::int32_t>(), node);
    if (in["start"]) pod.started_at += in["start"].as<std::int64_t>() * kSecond;
    const std::string label = TextOf(in["label"]);
    if (!label.empty()) pod.meta.labels["nos.nebuly.com/capacity"] = label;
    pod.quota_preemptible = !in["non_preemptible"];
    return pod;
  }

  // Holds an amount of a quota where nobody can go or be a victim: a pod of another scheduler on a
  // node that is closed.
  PodRecord& AddFiller(const std::string& namespace_, const ResourceList& amount) {
    PodRecord& pod = AddPod(namespace_, "filler-" + std::to_string(made_), amount, 0, "elsewhere");
    pod.scheduler_name = "another";
    objects.pod_groups.pop_back();
    pod.group.clear();
    if (objects.nodes.empty() || objects.nodes.front().meta.name != "elsewhere") {
      NodeRecord& node = *objects.nodes.insert(objects.nodes.begin(), NodeRecord());
      node.meta.name = node.meta.uid = "elsewhere";
      node.unschedulable = true;
    }
    AddTo(objects.nodes.front().allocatable, amount);
    objects.nodes.front().allocatable["pods"] = 110;
    return pod;
  }

  // Fillers for what the vector says is used beyond its pods.
  void FillUp(const YAML::Node& quotas) {
    for (const auto& entry : quotas) {
      const auto namespace_ = entry.first.as<std::string>();
      ResourceList missing = AmountsOf(entry.second["used"]);
      for (const PodRecord& pod : objects.pods) {
        if (pod.meta.namespace_ != namespace_ || pod.node_name.empty()) continue;
        AddTo(missing, Times(pod.request, -1));
      }
      std::erase_if(missing, [](const auto& e) { return e.second <= 0 || IsGpuMemory(e.first); });
      if (!missing.empty()) AddFiller(namespace_, missing);
    }
  }

  RunOutcome Run(const std::string& arguments, RunOptions options = {}) {
    NeedPriority("p0", 0);
    const Result<CompiledConf> conf = CompileConf(
        "actions: \"allocate, preempt, reclaim\"\n"
        "tiers:\n"
        "- plugins:\n"
        "  - {name: priority, enablePreemptable: false}\n"
        "  - {name: gang, enablePreemptable: false, enableReclaimable: false}\n"
        "  - {name: elasticquota, arguments: {" +
            arguments +
            "}}\n"
            "  - {name: predicates}\n"
            "  - {name: nodeorder}\n",
        "vectors.conf");
    EXPECT_TRUE(conf) << (conf ? "" : conf.error().message);
    if (!conf) return {};
    options.cycle.quota_pods = true;
    return RunSessions(objects, conf->pipeline, std::move(options));
  }

  // The figures of one quota by its namespace or name; nothing where there is no such quota.
  static std::optional<QuotaStatus> FigureOf(const RunOutcome& outcome, const std::string& name) {
    for (const QuotaStatus& quota : outcome.last.quotas) {
      if (quota.name.starts_with(name + "/") || quota.name.ends_with("/" + name)) return quota;
    }
    return std::nullopt;
  }

  void NeedPriority(const std::string& name, std::int32_t value) {
    for (const PriorityClassRecord& known : objects.priority_classes) {
      if (known.meta.name == name) return;
    }
    PriorityClassRecord& made = objects.priority_classes.emplace_back();
    made.meta.name = made.meta.uid = name;
    made.value = value;
  }

 private:
  static constexpr TimeNs kSecond = 1'000'000'000;
  static constexpr TimeNs kDay = 86'400 * kSecond;

  std::int64_t made_ = 0;
};

inline constexpr const char* kStrict = "compat: strict";
inline RunOptions Figures() {
  RunOptions options;
  options.cycles = 0;
  return options;
}

inline std::string NameOf(const std::string& key) { return key.substr(key.find('/') + 1); }

// Names of the pods that were evicted, in the order in which they were.
inline std::vector<std::string> Evicted(const RunOutcome& outcome) {
  std::vector<std::string> out;
  for (const CycleEvict& e : outcome.evictions) out.push_back(NameOf(e.evict.pod));
  return out;
}

}  // namespace batholith
