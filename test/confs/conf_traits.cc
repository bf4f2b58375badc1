#include "test/confs/conf_traits.h"

#include <algorithm>

namespace batholith::property {

const PluginConf* ConfTraits::Find(std::string_view plugin) const {
  for (const Tier& tier : conf_->tiers) {
    const auto found = std::ranges::find(tier.plugins, plugin, &PluginConf::name);
    if (found != tier.plugins.end()) return &*found;
  }
  return nullptr;
}

bool ConfTraits::Has(std::string_view plugin, Point point) const {
  const PluginConf* found = Find(plugin);
  return found != nullptr && found->points.Has(point);
}

bool ConfTraits::Guards(std::string_view plugin, std::string_view action) const {
  if (action == "preempt") return Has(plugin, Point::kPreemptable);
  if (action == "reclaim") return Has(plugin, Point::kReclaimable);
  return false;
}

bool ConfTraits::PlacesBeforeItEvicts() const {
  bool evicts = false;
  for (const ActionConf& action : conf_->actions) {
    const std::string_view name = action.name();
    if (name == "allocate" && evicts) return false;
    evicts =
        evicts || name == "preempt" || name == "reclaim" || name == "revoke" || name == "shuffle";
  }
  return true;
}

bool ConfTraits::LimitsNodes() const {
  return std::ranges::any_of(conf_->actions, [](const ActionConf& action) {
    const ConfValue* limit = action.arguments.Find("maxNodesTotal");
    return action.name() == "autoscale" && limit != nullptr && limit->text != "0";
  });
}

}  // namespace batholith::property
