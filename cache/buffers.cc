#include "cache/buffers.h"

#include <algorithm>
#include <map>
#include <string>

namespace batholith {

std::vector<BufferFacts> FindBuffers(const ClusterObjects& objects) {
  std::vector<BufferFacts> out;
  for (const CapacityBufferRecord& buffer : objects.capacity_buffers) {
    if (!buffer.meta.flaw.empty()) continue;
    if (IsActiveCapacity(buffer) && !buffer.meta.deleting) out.emplace_back().record = &buffer;
  }
  if (out.empty()) return out;
  std::ranges::sort(out, [](const BufferFacts& a, const BufferFacts& b) {
    return IsServedBefore(*a.record, *b.record);
  });
  std::map<std::string, const PodTemplateRecord*> templates;
  for (const PodTemplateRecord& t : objects.pod_templates) {
    if (t.meta.flaw.empty()) templates.emplace(t.meta.Key(), &t);
  }
  std::map<std::string, const ScalableRecord*> scalables;
  for (const ScalableRecord& s : objects.scalables) {
    if (s.meta.flaw.empty()) scalables.emplace(s.Identity(), &s);
  }
  const auto find = [](const auto& map, const std::string& key) {
    const auto it = map.find(key);
    return it == map.end() ? nullptr : it->second;
  };
  for (BufferFacts& facts : out) {
    const CapacityBufferRecord& buffer = *facts.record;
    if (buffer.scalable) {
      ScalableRecord wanted;
      wanted.meta.namespace_ = buffer.meta.namespace_;
      wanted.meta.name = buffer.scalable->name;
      wanted.api_group = buffer.scalable->api_group;
      wanted.kind = buffer.scalable->kind;
      facts.scalable = find(scalables, wanted.Identity());
    } else if (!buffer.pod_template.empty()) {
      facts.pod_template = find(templates, buffer.meta.namespace_ + "/" + buffer.pod_template);
    }
  }
  return out;
}

const PodRecord* TemplateOf(const BufferFacts& buffer) {
  if (buffer.pod_template != nullptr) return &buffer.pod_template->pod;
  return buffer.scalable != nullptr && buffer.scalable->pod ? &*buffer.scalable->pod : nullptr;
}

}  // namespace batholith
