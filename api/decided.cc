#include "api/decided.h"

#include <map>
#include <set>
#include <string_view>

namespace batholith {
namespace {

// Whoever has a reservation that others made room for comes first to it. The nominations of a job
// hold as long as each session reserves something for it.
void ApplyNominations(const CycleResult& result, ClusterObjects& objects,
                      const std::function<PodRecord*(const std::string&)>& find_pod) {
  std::set<std::string_view> confirmed;
  for (const Pipelined& reserved : result.pipelined) {
    confirmed.insert(reserved.job);
    PodRecord* pod = find_pod(reserved.pod);
    if (pod != nullptr && reserved.nominates) pod->nominated_node = reserved.node;
  }
  for (PodRecord& pod : objects.pods) {
    if (pod.group.empty()) continue;  // another scheduler's
    if (!pod.nominated_node.empty() && !confirmed.contains(pod.meta.namespace_ + "/" + pod.group))
      pod.nominated_node.clear();
  }
}

void ApplyBuffers(const CycleResult& result, ClusterObjects& objects) {
  std::map<std::string_view, const BufferStatus*> statuses;
  for (const BufferStatus& status : result.buffers) statuses[status.name] = &status;
  if (statuses.empty()) return;
  for (CapacityBufferRecord& buffer : objects.capacity_buffers) {
    const auto it = statuses.find(buffer.meta.Key());
    if (it == statuses.end()) continue;
    buffer.status_replicas = it->second->replicas;
    buffer.conditions = it->second->conditions;
    buffer.observed_generation = it->second->observed_generation;
  }
}

}  // namespace

void ApplyStatuses(const CycleResult& result, ClusterObjects& objects,
                   const std::function<PodRecord*(const std::string&)>& find_pod) {
  ApplyNominations(result, objects, find_pod);
  for (const PodLabel& label : result.labels) {
    PodRecord* pod = find_pod(label.pod);
    if (pod != nullptr) pod->meta.labels[label.key] = label.value;
  }
  for (const QuotaMark& mark : result.marks) {
    for (ElasticQuotaRecord& quota : objects.elastic_quotas) {
      if (quota.group != mark.group || quota.meta.Key() != mark.name) continue;
      if (mark.over_since == 0) {
        quota.meta.annotations.erase(std::string(kOverSinceAnnotation));
      } else {
        quota.meta.annotations[std::string(kOverSinceAnnotation)] = std::to_string(mark.over_since);
      }
    }
  }
  std::map<std::string_view, const JobStatus*> statuses;
  for (const JobStatus& status : result.jobs) statuses[status.key] = &status;
  for (PodGroupRecord& group : objects.pod_groups) {
    const auto it = statuses.find(group.meta.Key());
    if (it == statuses.end()) continue;
    group.phase = it->second->phase;
    group.conditions = it->second->conditions;
  }
  ApplyBuffers(result, objects);
}

}  // namespace batholith
