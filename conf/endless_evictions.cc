#include "conf/endless_evictions.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace batholith {
namespace {

using Names = std::initializer_list<std::string_view>;

bool Is(const PluginConf& plugin, Names names, Point point) {
  return plugin.points.Has(point) && std::ranges::find(names, plugin.name) != names.end();
}

bool AnyOn(const SchedulerConf& conf, Names names, Point point) {
  return std::ranges::any_of(conf.tiers, [&](const Tier& tier) {
    return std::ranges::any_of(tier.plugins,
                               [&](const PluginConf& plugin) { return Is(plugin, names, point); });
  });
}

bool HasAction(const SchedulerConf& conf, std::string_view name) {
  return std::ranges::find(conf.actions, name, &ActionConf::name) != conf.actions.end();
}

// For which jobs the actions evict. The first tier that says which jobs starve decides, and there
// all of its plugins have to agree: gang means jobs below their minimum, the others also those that
// want more.
enum class Starving { kNone, kBelowMinimum, kWantsMore };

Starving StarvingOf(const SchedulerConf& conf) {
  for (const Tier& tier : conf.tiers) {
    bool any = false;
    for (const PluginConf& plugin : tier.plugins) {
      if (Is(plugin, {"gang"}, Point::kJobStarving)) return Starving::kBelowMinimum;
      any = any || Is(plugin, {"priority", "tdm"}, Point::kJobStarving);
    }
    if (any) return Starving::kWantsMore;
  }
  return Starving::kNone;
}

// Whether victims are found that could as well have been the askers: none of those who put one job
// or queue before another judges, and gang does not keep to minimums on both sides.
bool GoesBothWays(const SchedulerConf& conf, Point point, Names rankers) {
  const Starving starving = StarvingOf(conf);
  if (starving == Starving::kNone || AnyOn(conf, rankers, point)) return false;
  if (AnyOn(conf, {"gang"}, point)) return starving == Starving::kWantsMore;
  return AnyOn(conf, {"conformance", "pdb", "cdp", "elasticquota"}, point);
}

// Whether gang lets an action evict for a part of a gang, which then waits for the rest and leaves
// its places to the victims.
bool EvictsForParts(const SchedulerConf& conf) {
  return StarvingOf(conf) != Starving::kNone && AnyOn(conf, {"gang"}, Point::kJobReady) &&
         !AnyOn(conf, {"gang"}, Point::kJobPipelined);
}

bool SharesAlongATree(const SchedulerConf& conf) {
  return AnyOn(conf, {"drf"}, Point::kHierarchy) && AnyOn(conf, {"drf"}, Point::kReclaimable);
}

}  // namespace

std::vector<std::string> EndlessEvictions(const SchedulerConf& conf) {
  std::vector<std::string> found;
  if (HasAction(conf, "preempt") &&
      GoesBothWays(conf, Point::kPreemptable, {"priority", "drf", "tdm"})) {
    found.emplace_back(
        "action preempt may evict for ever: no plugin says which of two jobs gives way, so each "
        "takes the other's place in turn (add priority or drf, or let gang decide who starves and "
        "spare minimums)");
  }
  if (HasAction(conf, "reclaim") && !SharesAlongATree(conf) &&
      GoesBothWays(conf, Point::kReclaimable, {"proportion", "capacity"})) {
    found.emplace_back(
        "action reclaim may evict for ever: no plugin says which of two queues gives way, so each "
        "takes the other's place in turn (add proportion, capacity, or drf with enableHierarchy, "
        "or let gang decide who starves and spare minimums)");
  }
  if ((HasAction(conf, "preempt") || HasAction(conf, "reclaim")) && EvictsForParts(conf)) {
    found.emplace_back(
        "plugin gang with enableJobPipelined off may evict for ever: places are made for a part of "
        "a "
        "gang, which cannot start, and go back to the victims (leave enableJobPipelined on)");
  }
  return found;
}

}  // namespace batholith
