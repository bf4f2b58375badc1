#include "conf/conflicts.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

const PluginConf* Find(const Tier& tier, std::string_view name) {
  const auto found = std::ranges::find(tier.plugins, name, &PluginConf::name);
  return found == tier.plugins.end() ? nullptr : &*found;
}

bool OwnsShares(const PluginConf& plugin) {
  const bool may = plugin.name == "proportion" || plugin.name == "capacity";
  return may && (plugin.points.Has(Point::kOverused) || plugin.points.Has(Point::kAllocatable) ||
                 plugin.points.Has(Point::kReclaimable));
}

// Both order queues by a share of their own, so that in one tier neither would be what it says.
std::optional<Conflict> TwoQueueOrders(const SchedulerConf& conf) {
  for (const Tier& tier : conf.tiers) {
    const PluginConf* drf = Find(tier, "drf");
    if (drf == nullptr || !drf->points.Has(Point::kHierarchy) ||
        Find(tier, "proportion") == nullptr) {
      continue;
    }
    return Conflict{
        drf->line,
        "plugins proportion and drf with enableHierarchy conflict: they must not share a tier"};
  }
  return std::nullopt;
}

// What a queue deserves is said by one plugin.
std::optional<Conflict> TwoShareOwners(const SchedulerConf& conf) {
  const PluginConf* owner = nullptr;
  for (const Tier& tier : conf.tiers) {
    for (const PluginConf& plugin : tier.plugins) {
      if (!OwnsShares(plugin)) continue;
      if (owner != nullptr) {
        return Conflict{plugin.line, "plugins " + owner->name + " and " + plugin.name +
                                         " conflict: only one of them may have enabledOverused, "
                                         "enabledAllocatable or enableReclaimable on"};
      }
      owner = &plugin;
    }
  }
  return std::nullopt;
}

// Each of them runs in each session; twice the same is a habit of some confs, a thousand times is
// none.
std::optional<Conflict> TooManyActions(const SchedulerConf& conf) {
  constexpr std::size_t kMostActions = 50;
  if (conf.actions.size() <= kMostActions) return std::nullopt;
  return Conflict{conf.actions[kMostActions].line,
                  "`actions` has " + std::to_string(conf.actions.size()) + " entries, at most " +
                      std::to_string(kMostActions) + " may be"};
}

// Real pods are placed first: what is left is for placeholders.
std::optional<Conflict> SlackBeforeRealPods(const SchedulerConf& conf) {
  constexpr std::string_view kOfSlack[] = {"slack", "autoscale"};
  const ActionConf* early = nullptr;
  for (const ActionConf& action : conf.actions) {
    if (std::ranges::find(kOfSlack, action.name) != std::end(kOfSlack)) {
      if (early == nullptr) early = &action;
    } else if (early != nullptr) {
      return Conflict{early->line, "`actions`: " + early->name + " must stand at the end, after " +
                                       action.name + ": real pods are placed first"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Conflict> FindConflict(const SchedulerConf& conf) {
  if (std::optional<Conflict> conflict = TwoQueueOrders(conf)) return conflict;
  if (std::optional<Conflict> conflict = TwoShareOwners(conf)) return conflict;
  if (std::optional<Conflict> conflict = TooManyActions(conf)) return conflict;
  return SlackBeforeRealPods(conf);
}

}  // namespace batholith
