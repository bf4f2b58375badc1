#include "conf/conflicts.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

bool OwnsShares(const PluginConf& plugin) {
  return plugin.descriptor->owns_shares &&
         (plugin.Acts(Point::kOverused) || plugin.Acts(Point::kAllocatable) ||
          plugin.Acts(Point::kReclaimable));
}

// Both order queues by a share of their own, so that in one tier neither would be what it says.
std::optional<Conflict> TwoQueueOrders(const SchedulerConf& conf) {
  for (const Tier& tier : conf.tiers) {
    for (const PluginConf& plugin : tier.plugins) {
      const std::string_view excluded = plugin.descriptor->tree_excludes;
      if (excluded.empty() || !plugin.points.Has(Point::kHierarchy)) continue;
      if (std::ranges::find(tier.plugins, excluded, &PluginConf::name) == tier.plugins.end())
        continue;
      return Conflict{plugin.line, "plugins " + std::string(excluded) + " and " +
                                       std::string(plugin.name()) +
                                       " with enableHierarchy conflict: they must not share a "
                                       "tier"};
    }
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
        return Conflict{plugin.line, "plugins " + std::string(owner->name()) + " and " +
                                         std::string(plugin.name()) +
                                         " conflict: only one of them may have enabledOverused, "
                                         "enabledAllocatable or enableReclaimable on"};
      }
      owner = &plugin;
    }
  }
  return std::nullopt;
}

// Quotas across queues have one owner, whom the framework asks.
std::optional<Conflict> TwoQuotaOwners(const SchedulerConf& conf) {
  const PluginConf* owner = nullptr;
  for (const Tier& tier : conf.tiers) {
    for (const PluginConf& plugin : tier.plugins) {
      if (!plugin.descriptor->owns_quotas) continue;
      if (owner != nullptr) {
        return Conflict{plugin.line, "plugins " + std::string(owner->name()) + " and " +
                                         std::string(plugin.name()) +
                                         " conflict: elastic quotas are judged by one plugin"};
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
std::optional<Conflict> TooEarly(const SchedulerConf& conf) {
  const ActionConf* early = nullptr;
  for (const ActionConf& action : conf.actions) {
    if (action.descriptor->stands_last) {
      if (early == nullptr) early = &action;
    } else if (early != nullptr) {
      return Conflict{early->line, "`actions`: " + std::string(early->name()) +
                                       " must stand at the end, after " +
                                       std::string(action.name()) + ": real pods are placed first"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Conflict> FindConflict(const SchedulerConf& conf) {
  if (std::optional<Conflict> conflict = TwoQueueOrders(conf)) return conflict;
  if (std::optional<Conflict> conflict = TwoShareOwners(conf)) return conflict;
  if (std::optional<Conflict> conflict = TwoQuotaOwners(conf)) return conflict;
  if (std::optional<Conflict> conflict = TooManyActions(conf)) return conflict;
  return TooEarly(conf);
}

}  // namespace batholith
