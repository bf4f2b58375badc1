#include "cache/schema.h"

#include <set>
#include <string>
#include <string_view>

#include "cache/buffers.h"

namespace batholith {
namespace {

void AddNamesOfTemplates(const std::vector<BufferFacts>& buffers,
                         std::set<std::string_view>& names) {
  std::set<std::string_view> more;
  for (const BufferFacts& buffer : buffers) {
    const PodRecord* pod = TemplateOf(buffer);
    if (pod == nullptr) continue;
    for (const auto& [name, amount] : pod->request) more.insert(name);
  }
  for (const char* fixed : {"cpu", "memory", "pods"}) names.insert(fixed);
  for (const std::string_view name : more) {
    if (names.size() < ResourceVector::kMaxDimensions) names.insert(name);
  }
}

// What only quotas name bounds nothing that a pod asks for, but gpu-memory, which is computed. So
// quotas never make a cluster unschedulable: names beyond the last dimension are left out.
void AddQuotaNames(const ClusterObjects& objects, std::set<std::string_view>& names) {
  std::set<std::string_view> more;
  const auto add = [&](const std::optional<ResourceList>& list) {
    if (!list) return;
    for (const auto& [name, amount] : *list) more.insert(name);
  };
  for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
    add(quota.min);
    add(quota.max);
    add(quota.shared_weight);
    add(quota.total_resource);
  }
  for (const char* fixed : {"cpu", "memory", "pods"}) names.insert(fixed);
  for (const bool gpu_memory : {true, false}) {
    for (const std::string_view name : more) {
      if (name.ends_with("/gpu-memory") != gpu_memory) continue;
      if (names.size() < ResourceVector::kMaxDimensions) names.insert(name);
    }
  }
}

}  // namespace

Result<ResourceSchema> SchemaOf(const ClusterObjects& objects,
                                const std::vector<BufferFacts>& buffers) {
  std::set<std::string_view> names;  // thousands of pods write the same few
  const auto add = [&](const ResourceList& list) {
    for (const auto& [name, amount] : list) names.insert(name);
  };
  for (const PodRecord& pod : objects.pods) add(pod.request);
  for (const NodeRecord& node : objects.nodes) add(node.allocatable);
  // Device classes are accepted and not counted: nobody holds any while claims are not read.
  const auto add_counted = [&](const ResourceList& list) {
    for (const auto& [name, amount] : list) {
      if (!name.starts_with("deviceclass/") && !name.contains(".deviceclass/")) names.insert(name);
    }
  };
  for (const QueueRecord& queue : objects.queues) {
    add_counted(queue.capability);
    add_counted(queue.guarantee);
    add_counted(queue.deserved);
  }
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (group.min_resources) add_counted(*group.min_resources);
  }
  AddNamesOfTemplates(buffers, names);
  AddQuotaNames(objects, names);
  ResourceSchema schema(std::vector<std::string>(names.begin(), names.end()));
  if (schema.size() > ResourceVector::kMaxDimensions) {
    return Invalid("the cluster names " + std::to_string(schema.size()) + " resources, at most " +
                   std::to_string(ResourceVector::kMaxDimensions) + " are supported");
  }
  return schema;
}

}  // namespace batholith
