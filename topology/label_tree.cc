#include <algorithm>
#include <utility>

#include "topology/hyper_node_tree.h"

namespace batholith {

Domains DomainsOfLabels(std::span<const std::string> keys,
                        std::span<const NodeRecord* const> nodes) {
  keys = keys.first(std::min(keys.size(), DomainTree::kMostLevels - 1));
  std::vector<DomainSpec> specs;
  // By the domain around it and the label's value.
  std::map<std::pair<std::size_t, std::string>, std::size_t> known;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Labels& labels = nodes[n]->meta.labels;
    std::size_t around = DomainSpec::kNoParent;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto label = labels.find(keys[k]);
      if (label == labels.end() || label->second.empty()) break;
      const auto [at, added] = known.try_emplace({around, label->second}, specs.size());
      if (added) {
        const std::string prefix = around == DomainSpec::kNoParent ? "" : specs[around].name + "/";
        specs.push_back(
            {prefix + label->second, static_cast<std::int64_t>(keys.size() - k), around, {}});
      }
      around = at->second;
    }
    if (around != DomainSpec::kNoParent) specs[around].nodes.push_back(NodeIndex(n));
  }
  Domains out{DomainTree(std::move(specs), nodes.size()), {}, {}};
  for (std::size_t k = 0; k < keys.size(); ++k)
    out.tier_of_name.emplace(keys[k], static_cast<std::int64_t>(keys.size() - k));
  return out;
}

}  // namespace batholith
