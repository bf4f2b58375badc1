#include "test/confs/random_conf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "actions/builtin.h"
#include "conf/switches.h"
#include "plugins/builtin.h"
#include "test/confs/random_arguments.h"
#include "test/property/draws.h"

namespace batholith::property {
namespace {

struct Likely {
  std::string_view name;
  int percent;
};

constexpr Likely kOfRealPods[] = {{"enqueue", 60}, {"allocate", 92}, {"backfill", 65},
                                  {"preempt", 65}, {"reclaim", 65},  {"revoke", 40},
                                  {"shuffle", 40}};
constexpr Likely kOfSlack[] = {{"slack", 40}, {"autoscale", 35}};
// A plugin that is not named here is drawn half the time, so a new one is tried at once.
constexpr Likely kPlugins[] = {{"predicates", 85},  {"gang", 70},          {"priority", 65},
                               {"conformance", 50}, {"binpack", 40},       {"overcommit", 30},
                               {"sla", 30},         {"pdb", 40},           {"nodegroup", 12},
                               {"tdm", 35},         {"resourcequota", 35}, {"proportion", 30},
                               {"capacity", 30}};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : draws_(seed) {}

  std::string Make() {
    std::string text = Actions();
    text += Tiers();
    return text + Configurations();
  }

 private:
  std::string Actions() {
    for (const Likely& action : kOfRealPods) {
      if (draws_.Chance(action.percent)) actions_.emplace_back(action.name);
    }
    if (actions_.empty()) actions_.emplace_back("allocate");
    if (draws_.Chance(20)) actions_.push_back(draws_.Of(actions_));
    draws_.Shuffle(actions_);
    for (const Likely& action : kOfSlack) {
      if (draws_.Chance(action.percent)) actions_.emplace_back(action.name);
    }
    if (draws_.Chance(2)) draws_.Shuffle(actions_);  // most such orders are refused
    if (draws_.Chance(80)) return fmt::format("actions: \"{}\"\n", fmt::join(actions_, ", "));
    return fmt::format("actions: [{}]\n", fmt::join(actions_, ", "));
  }

  int ChanceOf(std::string_view plugin) const {
    // These two actions do nothing without their plugin.
    if (plugin == "elasticquota" && Acts("revoke")) return 90;
    if (plugin == "tdm" && Acts("shuffle")) return 75;
    const auto found = std::ranges::find(kPlugins, plugin, &Likely::name);
    return found == std::end(kPlugins) ? 50 : found->percent;
  }

  bool Acts(std::string_view action) const {
    return std::ranges::find(actions_, action) != actions_.end();
  }

  std::string Tiers() {
    std::vector<std::string> tiers(static_cast<std::size_t>(draws_.Between(1, 4)));
    std::vector<PluginDescriptor> plugins(BuiltinPlugins().begin(), BuiltinPlugins().end());
    draws_.Shuffle(plugins);
    bool shares = false;
    for (const PluginDescriptor& plugin : plugins) {
      const bool owns_shares = plugin.owns_shares;
      if (owns_shares && shares && draws_.Chance(90)) continue;
      if (!draws_.Chance(ChanceOf(plugin.name))) continue;
      shares = shares || owns_shares;
      std::string& tier = tiers[static_cast<std::size_t>(draws_.Between(0, std::ssize(tiers) - 1))];
      tier += "  - " + Plugin(plugin) + "\n";
    }
    std::string text = "tiers:\n";
    for (const std::string& tier : tiers) text += tier.empty() ? "" : "- plugins:\n" + tier;
    return text == "tiers:\n" ? "" : text;
  }

  std::string Plugin(const PluginDescriptor& plugin) {
    std::vector<std::string> keys{"name: " + std::string(plugin.name)};
    if (draws_.Chance(35)) {
      std::set<std::string_view> given;
      for (std::int64_t n = draws_.Between(1, 3); n > 0; --n) {
        const Switch& chosen = draws_.Of(Switches());
        if (given.insert(chosen.name).second) keys.push_back(Spelled(chosen, draws_.Chance(20)));
      }
      if (!given.contains("enableHierarchy")) MayBeHierarchical(plugin, keys);
    } else {
      MayBeHierarchical(plugin, keys);
    }
    const std::string arguments =
        draws_.Chance(70)
            ? RandomArguments(plugin.arguments, plugin.arguments.size() > 15 ? 15 : 40, draws_)
            : "{}";
    if (arguments != "{}") keys.push_back("arguments: " + arguments);
    return fmt::format("{{{}}}", fmt::join(keys, ", "));
  }

  void MayBeHierarchical(const PluginDescriptor& plugin, std::vector<std::string>& keys) {
    if (plugin.points.Has(Point::kHierarchy) && draws_.Chance(35))
      keys.emplace_back("enableHierarchy: true");
  }

  std::string Spelled(const Switch& s, bool on) {
    std::string name(s.name);
    if (draws_.Chance(30)) {
      if (name.starts_with("enabled")) {
        name.erase(6, 1);
      } else {
        name.insert(6, "d");
      }
    }
    return name + (on ? ": true" : ": false");
  }

  std::string Configurations() {
    std::string text;
    for (const ActionDescriptor& action : BuiltinActions()) {
      if (!draws_.Chance(Acts(action.name) ? 85 : 5)) continue;
      const std::string arguments = RandomArguments(action.arguments, 35, draws_);
      if (arguments != "{}")
        text += fmt::format("- name: {}\n  arguments: {}\n", action.name, arguments);
    }
    return text.empty() ? "" : "configurations:\n" + text;
  }

  Draws draws_;
  std::vector<std::string> actions_;
};

}  // namespace

std::string RandomConf(std::uint64_t seed) { return Writer(seed).Make(); }

}  // namespace batholith::property
