#include "api/decided.h"

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

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
void ApplyNominations(const CycleResult& result, const ObjectFinder& find, StatusChanges& changes) {
  std::set<std::string_view> confirmed;
  for (const Pipelined& reserved : result.pipelined) {
    confirmed.insert(reserved.job);
    PodRecord* pod = reserved.nominates ? find.pod(reserved.pod) : nullptr;
    if (pod != nullptr && Change(pod->nominated_node, reserved.node)) changes.pods.push_back(pod);
  }
  for (PodRecord* pod : find.nominated()) {
    if (pod->group.empty()) continue;  // another scheduler's
    if (confirmed.contains(pod->meta.namespace_ + "/" + pod->group)) continue;
    if (Change(pod->nominated_node, std::string())) changes.pods.push_back(pod);
  }
}

bool ApplyMarks(const CycleResult& result, ClusterObjects& objects) {
  const std::string annotation(kOverSinceAnnotation);
  bool changed = false;
  for (const QuotaMark& mark : result.marks) {
    for (ElasticQuotaRecord& quota : objects.elastic_quotas) {
      if (quota.group != mark.group || quota.meta.Key() != mark.name) continue;
      if (mark.over_since == 0) {
        changed |= quota.meta.annotations.erase(annotation) > 0;
      } else {
        changed |= Change(quota.meta.annotations[annotation], std::to_string(mark.over_since));
      }
    }
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

bool HasHyperNode(const std::optional<std::string>& hyper_node, const PodGroupRecord& group) {
  if (!hyper_node) return true;
  const auto known = group.meta.annotations.find(kAllocatedHyperNode);
  const bool is_there = known != group.meta.annotations.end();
  return is_there ? known->second == *hyper_node : hyper_node->empty();
}

bool ChangeHyperNode(const std::optional<std::string>& hyper_node, PodGroupRecord& group) {
  if (HasHyperNode(hyper_node, group)) return false;
  if (hyper_node->empty()) {
    group.meta.annotations.Edit().erase(std::string(kAllocatedHyperNode));
  } else {
    group.meta.annotations.Edit()[std::string(kAllocatedHyperNode)] = *hyper_node;
  }
  return true;
}

ObjectFinder FinderIn(ClusterObjects& objects) {
  const auto index = []<typename Record>(std::vector<Record>& records) {
    using Found = std::unordered_map<std::string, Record*>;
    return [&records, found = Found()](const std::string& key) mutable {
      if (found.empty()) {
        for (Record& record : records) found.emplace(KeyOf(record), &record);
      }
      const auto it = found.find(key);
      return it == found.end() ? nullptr : it->second;
    };
  };
  return {index(objects.pods), index(objects.pod_groups), [&objects] {
            std::vector<PodRecord*> nominated;
            for (PodRecord& pod : objects.pods) {
              if (!pod.nominated_node.empty()) nominated.push_back(&pod);
            }
            return nominated;
          }};
}

StatusChanges ApplyStatuses(const CycleResult& result, ClusterObjects& objects,
                            const ObjectFinder& find) {
  StatusChanges changes;
  ApplyNominations(result, find, changes);
  for (const PodLabel& label : result.labels) {
    PodRecord* pod = find.pod(label.pod);
    if (pod != nullptr && Change(pod->meta.labels[label.key], label.value))
      changes.pods.push_back(pod);
  }
  for (const JobStatus& status : result.jobs) {
    PodGroupRecord* group = status.changed ? find.group(status.key) : nullptr;
    if (group == nullptr) continue;
    bool changed = Change(group->phase, status.phase);
    changed |= Change(group->conditions, status.conditions);
    changed |= ChangeHyperNode(status.hyper_node, *group);
    if (changed) changes.groups.push_back(group);
  }
  changes.others = ApplyMarks(result, objects);
  changes.others |= ApplyShards(result, objects);
  changes.others |= ApplyBuffers(result, objects);
  return changes;
}

}  // namespace batholith
