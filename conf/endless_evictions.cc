#include "conf/endless_evictions.h"

namespace batholith {
namespace {

// Who says when a job is ready knows its minimum, and spares it as a judge of victims.
bool KnowsMinimums(const PluginConf& plugin) {
  return plugin.descriptor->points.Has(Point::kJobReady);
}

// For which jobs the actions evict. The first tier that says which jobs starve decides, and there
// all of its plugins have to agree: who knows minimums means jobs below theirs, the others also
// those that want more.
enum class Starving { kNone, kBelowMinimum, kWantsMore };

Starving StarvingOf(const SchedulerConf& conf) {
  for (const Tier& tier : conf.tiers) {
    bool any = false;
    for (const PluginConf& plugin : tier.plugins) {
      if (!plugin.Acts(Point::kJobStarving)) continue;
      if (KnowsMinimums(plugin)) return Starving::kBelowMinimum;
      any = true;
    }
    if (any) return Starving::kWantsMore;
  }
  return Starving::kNone;
}

// Whether victims are found that could as well have been the preemptors: none of those who put one
// job or queue before another judges, and minimums are not kept on both sides.
bool GoesBothWays(const SchedulerConf& conf, Point point) {
  const Starving starving = StarvingOf(conf);
  const auto judges = [point](const PluginConf& plugin) { return plugin.Acts(point); };
  const auto ranks = [&](const PluginConf& plugin) {
    return judges(plugin) && plugin.descriptor->ranks.Has(point);
  };
  const auto keeps_minimums = [&](const PluginConf& plugin) {
    return judges(plugin) && KnowsMinimums(plugin);
  };
  if (starving == Starving::kNone || conf.AnyPlugin(ranks)) return false;
  if (conf.AnyPlugin(keeps_minimums)) return starving == Starving::kWantsMore;
  return conf.AnyPlugin(judges);
}

// A plugin that lets an action evict for a part of a gang, which then waits for the rest and leaves
// its places to the victims. nullptr: none.
const PluginConf* EvictsForParts(const SchedulerConf& conf) {
  if (StarvingOf(conf) == Starving::kNone) return nullptr;
  for (const Tier& tier : conf.tiers) {
    for (const PluginConf& plugin : tier.plugins) {
      if (plugin.Acts(Point::kJobReady) && !plugin.Acts(Point::kJobPipelined)) return &plugin;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> EndlessEvictions(const SchedulerConf& conf) {
  std::vector<std::string> found;
  if (conf.Asks(Point::kPreemptable) && GoesBothWays(conf, Point::kPreemptable)) {
    found.emplace_back(
        "action preempt may evict for ever: no plugin says which of two jobs gives way, so each "
        "takes the other's place in turn (add priority or drf, or let gang decide who starves and "
        "spare minimums)");
  }
  if (conf.Asks(Point::kReclaimable) && GoesBothWays(conf, Point::kReclaimable)) {
    found.emplace_back(
        "action reclaim may evict for ever: no plugin says which of two queues gives way, so each "
        "takes the other's place in turn (add proportion, capacity, or drf with enableHierarchy, "
        "or let gang decide who starves and spare minimums)");
  }
  if (!conf.Asks(Point::kPreemptable) && !conf.Asks(Point::kReclaimable)) return found;
  if (const PluginConf* plugin = EvictsForParts(conf)) {
    found.push_back("plugin " + std::string(plugin->name()) +
                    " with enableJobPipelined off may evict for ever: places are made for a part "
                    "of a gang, which cannot start, and go back to the victims (leave "
                    "enableJobPipelined on)");
  }
  return found;
}

}  // namespace batholith
