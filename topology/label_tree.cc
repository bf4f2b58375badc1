#include "topology/label_tree.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "topology/hyper_node_tree.h"

namespace batholith {
namespace {

// Makes the domain of each value once.
class LabelDomains {
 public:
  // The node's domain of the label, inside the other one; kNoParent: it has no value of it.
  std::size_t Of(const NodeRecord& node, const std::string& key, std::int64_t tier,
                 std::size_t around) {
    const auto label = node.meta.labels.find(key);
    if (label == node.meta.labels.end() || label->second.empty()) return DomainSpec::kNoParent;
    const auto [at, added] = known_.try_emplace({around, tier, label->second}, specs.size());
    if (added) {
      const std::string prefix = around == DomainSpec::kNoParent ? "" : specs[around].name + "/";
      specs.push_back({prefix + label->second, tier, around, {}});
    }
    return at->second;
  }

  std::vector<DomainSpec> specs;

 private:
  std::map<std::tuple<std::size_t, std::int64_t, std::string>, std::size_t> known_;
};

}  // namespace

Domains DomainsOfLabels(std::span<const std::string> keys,
                        std::span<const NodeRecord* const> nodes) {
  keys = keys.first(std::min(keys.size(), DomainTree::kMostLevels - 1));
  LabelDomains domains;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    std::size_t around = DomainSpec::kNoParent;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto tier = static_cast<std::int64_t>(keys.size() - k);
      const std::size_t own = domains.Of(*nodes[n], keys[k], tier, around);
      if (own == DomainSpec::kNoParent) break;
      around = own;
    }
    if (around != DomainSpec::kNoParent) domains.specs[around].nodes.push_back(NodeIndex(n));
  }
  Domains out{DomainTree(std::move(domains.specs), nodes.size()), {}, {}};
  for (std::size_t k = 0; k < keys.size(); ++k)
    out.tier_of_name.emplace(keys[k], static_cast<std::int64_t>(keys.size() - k));
  return out;
}

std::int64_t TierOfAround(const LabelKeys& keys, const std::string& label) {
  return label == keys.around ? static_cast<std::int64_t>(keys.close.size()) + 1 : 0;
}

std::int64_t TierOfClose(const LabelKeys& keys, const std::string& label) {
  const auto close = std::ranges::find(keys.close, label);
  return close == keys.close.end() ? 0 : close - keys.close.begin() + 1;
}

DomainTree TreeOfLabels(const LabelKeys& keys, std::span<const NodeRecord* const> nodes) {
  LabelDomains domains;
  const auto widest = static_cast<std::int64_t>(keys.close.size()) + 1;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    std::size_t around = DomainSpec::kNoParent;
    if (!keys.around.empty()) {
      around = domains.Of(*nodes[n], keys.around, widest, around);
      if (around == DomainSpec::kNoParent) continue;
    }
    bool inside = false;
    for (std::size_t k = 0; k < keys.close.size(); ++k) {
      const auto tier = static_cast<std::int64_t>(k + 1);
      const std::size_t own = domains.Of(*nodes[n], keys.close[k], tier, around);
      if (own == DomainSpec::kNoParent) continue;
      domains.specs[own].nodes.push_back(NodeIndex(n));
      inside = true;
    }
    if (!inside && around != DomainSpec::kNoParent)
      domains.specs[around].nodes.push_back(NodeIndex(n));
  }
  return {std::move(domains.specs), nodes.size()};
}

}  // namespace batholith
