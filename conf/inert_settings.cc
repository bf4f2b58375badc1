#include "conf/inert_settings.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

// What an action needs a plugin for, and what to say where no plugin does it.
struct Lack {
  Point point;
  std::string_view text;
};
constexpr Lack kLacks[] = {
    {Point::kJobStarving, "no plugin says which jobs starve"},
    {Point::kPreemptable, "no plugin judges victims"},
    {Point::kReclaimable, "no plugin judges victims"},
    {Point::kVictim, "no plugin names victims"},
};

// "a, b or c": those of the list that pass, in its order.
template <typename List, typename Passes>
std::string NamesOf(const List& list, Passes passes) {
  std::vector<std::string_view> names;
  for (const auto& descriptor : list) {
    if (passes(descriptor)) names.push_back(descriptor.name);
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

// Plugins that implement the point; where some of them say which of two sides gives way, those.
std::string Helpers(const Registry& registry, Point point) {
  std::string ranks =
      NamesOf(registry.plugins, [&](const PluginDescriptor& p) { return p.ranks.Has(point); });
  if (!ranks.empty()) return ranks;
  return NamesOf(registry.plugins, [&](const PluginDescriptor& p) { return p.points.Has(point); });
}

// Actions that the conf names twice count once.
std::vector<const ActionDescriptor*> ActionsOf(const SchedulerConf& conf) {
  std::vector<const ActionDescriptor*> actions;
  for (const ActionConf& action : conf.actions) {
    if (std::ranges::find(actions, action.descriptor) == actions.end())
      actions.push_back(action.descriptor);
  }
  return actions;
}

void CheckActions(const SchedulerConf& conf, const Registry& registry,
                  std::vector<std::string>& found) {
  const std::vector<const ActionDescriptor*> actions = ActionsOf(conf);
  if (std::ranges::none_of(actions, &ActionDescriptor::places))
    found.push_back("nothing is ever bound: add " +
                    NamesOf(registry.actions, [](const ActionDescriptor& a) { return a.places; }) +
                    " to actions");
  for (const Lack& lack : kLacks) {
    const auto acts = [&](const PluginConf& plugin) { return plugin.Acts(lack.point); };
    if (conf.AnyPlugin(acts)) continue;
    for (const ActionDescriptor* action : actions) {
      if (!action->asks.Has(lack.point)) continue;
      found.push_back("action " + std::string(action->name) + " has no effect: " +
                      std::string(lack.text) + " (add " + Helpers(registry, lack.point) + ")");
    }
  }
}

// One reject of a tier beats any permit in it or behind it, so that a plugin that only permits
// speaks only from a tier before those that reject.
void CheckPermits(const SchedulerConf& conf, std::vector<std::string>& found) {
  if (!conf.Asks(Point::kJobEnqueued)) return;
  const PluginConf* rejects = nullptr;
  for (const Tier& tier : conf.tiers) {
    const PluginConf* permits = nullptr;
    for (const PluginConf& plugin : tier.plugins) {
      if (!plugin.Acts(Point::kJobEnqueued)) continue;
      const bool only_permits = plugin.descriptor->only_permits.Has(Point::kJobEnqueued);
      if (only_permits) permits = &plugin;
      if (!only_permits && rejects == nullptr) rejects = &plugin;
    }
    if (permits == nullptr || rejects == nullptr) continue;
    found.push_back("plugin " + std::string(permits->name()) + " cannot let a waiting job in: " +
                    std::string(rejects->name()) + " decides first (put " +
                    std::string(permits->name()) + " into a tier before it)");
    return;
  }
}

}  // namespace

std::vector<std::string> InertSettings(const SchedulerConf& conf, const Registry& registry) {
  std::vector<std::string> found;
  if (conf.tiers.empty()) found.emplace_back("no plugin is configured (tiers is missing or empty)");
  CheckActions(conf, registry, found);
  CheckPermits(conf, found);
  return found;
}

}  // namespace batholith
