#include "cache/class_key.h"

namespace batholith {

std::string ClassKey(const PodRecord& pod, const TaskFacts& facts, const Snapshot& snapshot) {
  std::string key;
  for (std::size_t r = 0; r < snapshot.schema.size(); ++r) {
    key += std::to_string(facts.request[r]);
    key += ',';
  }
  // Its amounts too: GPU memory is computed from what no node may have any more.
  if (facts.unserved) {
    for (const auto& [name, amount] : pod.request) {
      const auto place = amount > 0 ? snapshot.uncounted.Find(name) : std::nullopt;
      if (place) key += '\x1d' + std::to_string(*place) + '=' + std::to_string(amount);
    }
  }
  if (pod.unnamed_cpu != 0 || pod.unnamed_memory != 0)
    key += '\x1c' + std::to_string(pod.unnamed_cpu) + ',' + std::to_string(pod.unnamed_memory);
  key += pod.constraints->signature;
  if (snapshot.labels_matter) {
    key += '\x1e' + pod.meta.namespace_;
    for (const auto& [name, value] : pod.meta.labels) key += '\x1e' + name + '=' + value;
  }
  return key;
}

}  // namespace batholith
