#include "api/decided.h"

#include <map>
#include <set>
#include <string_view>

#include "api/allocated_hyper_node.h"

namespace batholith {
namespace {

// True: it had another value.
template <typename Value>
bool Change(Value& to, const Value& value) {
  if (to == value) return false;
  to = value;
  return true;
}

// Whoever has a reservation that others made room for comes first to it. The nominations of a job
// hold as long as each session reserves something for it.
bool ApplyNominations(const CycleResult& result, ClusterObjects& objects,
                      const std::function<PodRecord*(const std::string&)>& find_pod) {
  std::set<std::string_view> confirmed;
  bool changed = false;
  for (const Pipelined& reserved : result.pipelined) {
    confirmed.insert(reserved.job);
    PodRecord* pod = find_pod(reserved.pod);
    if (pod != nullptr && reserved.nominates) changed |= Change(pod->nominated_node, reserved.node);
  }
  for (PodRecord& pod : objects.pods) {
    if (pod.group.empty()) continue;  // another scheduler's
    if (!pod.nominated_node.empty() && !confirmed.contains(pod.meta.namespace_ + "/" + pod.group))
      changed |= Change(pod.nominated_node, std::string());
  }
  return changed;
}

bool ApplyShards(const CycleResult& result, ClusterObjects& objects) {
  bool changed = false;
  for (const ShardStatus& status : result.shards) {
    for (NodeShardRecord& shard : objects.node_shards) {
      if (shard.meta.name != status.name) continue;
      changed |= Change(shard.in_use, status.in_use);
      changed |= Change(shard.to_add, status.to_add);
    }
  }
  return changed;
}

bool ApplyBuffers(const CycleResult& result, ClusterObjects& objects) {
  std::map<std::string_view, const BufferStatus*> statuses;
  for (const BufferStatus& status : result.buffers) statuses[status.name] = &status;
  if (statuses.empty()) return false;
  bool changed = false;
  for (CapacityBufferRecord& buffer : objects.capacity_buffers) {
    const auto it = statuses.find(buffer.meta.Key());
    if (it == statuses.end()) continue;
    changed |= Change(buffer.status_replicas, it->second->replicas);
    changed |= Change(buffer.conditions, it->second->conditions);
    changed |= Change(buffer.observed_generation, it->second->observed_generation);
  }
  return changed;
}

}  // namespace

bool ChangeHyperNode(const std::optional<std::string>& hyper_node, PodGroupRecord& group) {
  if (!hyper_node) return false;
  const auto known = group.meta.annotations.find(kAllocatedHyperNode);
  const bool is_there = known != group.meta.annotations.end();
  if (is_there ? known->second == *hyper_node : hyper_node->empty()) return false;
  if (hyper_node->empty()) {
    group.meta.annotations.Edit().erase(std::string(kAllocatedHyperNode));
  } else {
    group.meta.annotations.Edit()[std::string(kAllocatedHyperNode)] = *hyper_node;
  }
  return true;
}

bool ApplyStatuses(const CycleResult& result, ClusterObjects& objects,
                   const std::function<PodRecord*(const std::string&)>& find_pod) {
  bool changed = ApplyNominations(result, objects, find_pod);
  for (const PodLabel& label : result.labels) {
    PodRecord* pod = find_pod(label.pod);
    if (pod != nullptr) changed |= Change(pod->meta.labels[label.key], label.value);
  }
  for (const QuotaMark& mark : result.marks) {
    for (ElasticQuotaRecord& quota : objects.elastic_quotas) {
      if (quota.group != mark.group || quota.meta.Key() != mark.name) continue;
      const std::string annotation(kOverSinceAnnotation);
      if (mark.over_since == 0) {
        changed |= quota.meta.annotations.erase(annotation) > 0;
      } else {
        changed |= Change(quota.meta.annotations[annotation], std::to_string(mark.over_since));
      }
    }
  }
  std::map<std::string_view, const JobStatus*> statuses;
  for (const JobStatus& status : result.jobs) statuses[status.key] = &status;
  for (PodGroupRecord& group : objects.pod_groups) {
    const auto it = statuses.find(group.Identity());
    if (it == statuses.end()) continue;
    changed |= Change(group.phase, it->second->phase);
    changed |= Change(group.conditions, it->second->conditions);
    changed |= ChangeHyperNode(it->second->hyper_node, group);
  }
  changed |= ApplyShards(result, objects);
  return ApplyBuffers(result, objects) || changed;
}

}  // namespace batholith
