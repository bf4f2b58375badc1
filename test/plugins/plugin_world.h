#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cache/snapshot_builder.h"
#include "framework/extension_points.h"
#include "framework/plugin.h"

namespace batholith {

// A small cluster written as records, and what a plugin sees of it. Fill `objects`, then Open().
class PluginWorld {
 public:
  static constexpr TimeNs kHour = 3'600'000'000'000;

  ClusterObjects objects;
  TimeNs now = 24 * kHour;  // midnight

  NodeRecord& AddNode(const std::string& name, std::int64_t milli_cpu) {
    NodeRecord& node = objects.nodes.emplace_back();
    node.meta.name = node.meta.uid = name;
    node.allocatable = {{"cpu", milli_cpu}, {"pods", 110}};
    return node;
  }

  PodGroupRecord& AddGroup(const std::string& name, std::int32_t min_member) {
    if (objects.queues.empty()) objects.queues.emplace_back().meta.name = "default";
    PodGroupRecord& group = objects.pod_groups.emplace_back();
    group.meta.name = group.meta.uid = name;
    group.meta.namespace_ = "ns";
    group.min_member = min_member;
    group.phase = JobPhase::kInqueue;
    return group;
  }

  PodRecord& AddPod(const std::string& group, const std::string& node,
                    const std::string& role = "") {
    PodRecord& pod = objects.pods.emplace_back();
    pod.meta.name = group + "-" + std::to_string(objects.pods.size());
    // Zero-padded, so that pods are indexed in the order in which they are added.
    pod.meta.uid = "uid-" + std::to_string(1000 + objects.pods.size());
    pod.meta.namespace_ = "ns";
    pod.scheduler_name = "volcano";
    pod.group = group;
    pod.task_role = role;
    pod.node_name = node;
    pod.phase = node.empty() ? PodPhase::kPending : PodPhase::kRunning;
    pod.request = {{"cpu", 1000}};
    pod.constraints = std::make_shared<const PodConstraints>();
    return pod;
  }

  // Builds the plugin with its arguments, name by name; the objects must not change any more.
  void Open(const PluginDescriptor& about,
            const std::map<std::string, std::string>& arguments = {}) {
    SnapshotOptions options;
    options.now = now;
    snapshot = BuildSnapshot(std::make_shared<const ClusterObjects>(objects), options);
    state = std::make_unique<SessionState>(*snapshot);
    ConfValue given;
    for (const auto& [key, text] : arguments) given.children.push_back({.key = key, .text = text});
    options_ = about.read(Arguments(given, about.arguments)).value();
    for (const JobFacts& job : snapshot->jobs) phases_.push_back(job.record->phase);
    plugin =
        about.make(PluginContext{*snapshot, *state, PointSet::Default(), phases_}, options_.get());
  }

  template <typename PointClass>
  PointClass& As() {
    return dynamic_cast<PointClass&>(*plugin);
  }

  static std::vector<TaskIndex> Tasks(std::initializer_list<std::size_t> indices) {
    std::vector<TaskIndex> tasks;
    for (const std::size_t i : indices) tasks.emplace_back(i);
    return tasks;
  }

  std::shared_ptr<const Snapshot> snapshot;
  std::unique_ptr<SessionState> state;
  std::unique_ptr<Plugin> plugin;

 private:
  CompiledOptions options_;
  std::vector<JobPhase> phases_;
};

}  // namespace batholith
