#include "conf/inert_settings.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace batholith {
namespace {

using Names = std::initializer_list<std::string_view>;

// Some plugin of `names` stands in the conf with the point on.
bool AnyOn(const SchedulerConf& conf, Names names, Point point) {
  return std::ranges::any_of(conf.tiers, [&](const Tier& tier) {
    return std::ranges::any_of(tier.plugins, [&](const PluginConf& plugin) {
      return plugin.points.Has(point) && std::ranges::find(names, plugin.name) != names.end();
    });
  });
}

bool HasAction(const SchedulerConf& conf, std::string_view name) {
  return std::ranges::find(conf.actions, name, &ActionConf::name) != conf.actions.end();
}

bool HasHierarchicalDrf(const SchedulerConf& conf) {
  return AnyOn(conf, {"drf"}, Point::kHierarchy);
}

std::optional<std::size_t> TierOf(const SchedulerConf& conf, std::string_view name, Point point) {
  for (std::size_t i = 0; i < conf.tiers.size(); ++i) {
    for (const PluginConf& plugin : conf.tiers[i].plugins) {
      if (plugin.name == name && plugin.points.Has(point)) return i;
    }
  }
  return std::nullopt;
}

void CheckEvictions(const SchedulerConf& conf, std::vector<std::string>& found) {
  const bool starving = AnyOn(conf, {"gang", "priority", "tdm"}, Point::kJobStarving);
  for (const std::string_view action : {"preempt", "reclaim"}) {
    if (HasAction(conf, action) && !starving) {
      found.push_back("action " + std::string(action) +
                      " has no effect: no plugin says which jobs starve (gang, priority, tdm)");
    }
  }
  if (HasAction(conf, "preempt") &&
      !AnyOn(conf, {"gang", "priority", "conformance", "drf", "tdm", "pdb", "cdp"},
             Point::kPreemptable)) {
    found.push_back(
        "action preempt has no effect: no plugin judges victims (priority, gang, drf, tdm)");
  }
  const bool by_drf = HasHierarchicalDrf(conf) && AnyOn(conf, {"drf"}, Point::kReclaimable);
  if (HasAction(conf, "reclaim") && !by_drf &&
      !AnyOn(conf, {"gang", "conformance", "proportion", "capacity", "elasticquota", "pdb", "cdp"},
             Point::kReclaimable)) {
    found.push_back(
        "action reclaim has no effect: no plugin judges victims (proportion, capacity, gang)");
  }
  if (HasAction(conf, "shuffle") && !AnyOn(conf, {"tdm", "rescheduling"}, Point::kVictim)) {
    found.push_back("action shuffle has no effect: no plugin names victims (tdm)");
  }
}

// One reject of a tier beats any permit in it or behind it, so that sla speaks only from a tier
// before.
void CheckSla(const SchedulerConf& conf, std::vector<std::string>& found) {
  const std::optional<std::size_t> sla = TierOf(conf, "sla", Point::kJobEnqueued);
  if (!sla || !HasAction(conf, "enqueue")) return;
  for (const std::string_view other : {"overcommit", "proportion", "capacity", "resourcequota"}) {
    const std::optional<std::size_t> tier = TierOf(conf, other, Point::kJobEnqueued);
    if (tier && *tier <= *sla) {
      found.push_back("plugin sla cannot let a waiting job in: " + std::string(other) +
                      " decides first (put sla into a tier before it)");
      return;
    }
  }
}

}  // namespace

std::vector<std::string> InertSettings(const SchedulerConf& conf) {
  std::vector<std::string> found;
  if (conf.tiers.empty()) found.emplace_back("no plugin is configured (tiers is missing or empty)");
  if (!HasAction(conf, "allocate") && !HasAction(conf, "backfill")) {
    found.emplace_back("nothing is ever bound: actions has neither allocate nor backfill");
  }
  CheckEvictions(conf, found);
  CheckSla(conf, found);
  return found;
}

}  // namespace batholith
