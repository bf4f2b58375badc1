#include "actions/common/job_topologies.h"

#include <utility>

namespace batholith {

LabelKeys JobTopologies::Known(LabelKeys keys) {
  if (!labels_) {
    labels_.emplace();
    for (const NodeFacts& node : session_.snapshot().nodes) {
      for (const auto& [key, value] : *node.record->meta.labels) labels_->insert(key);
    }
  }
  if (!labels_->contains(keys.around)) keys.around.clear();
  std::erase_if(keys.close, [&](const std::string& key) { return !labels_->contains(key); });
  return keys;
}

TopologyOwner* JobTopologies::Of(JobIndex job) {
  LabelKeys named = LabelKeysOf(session_.snapshot().job(job));
  if (named.empty()) return session_.chains().topology();
  LabelKeys keys = Known(std::move(named));
  const auto known = of_labels_.find(keys);
  if (known != of_labels_.end()) return known->second.get();
  if (of_labels_.size() >= kMostTrees) return nullptr;
  auto topology = std::make_unique<LabelTopology>(session_.snapshot(), session_.state(), keys);
  return of_labels_.emplace(std::move(keys), std::move(topology)).first->second.get();
}

}  // namespace batholith
