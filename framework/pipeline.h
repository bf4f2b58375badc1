#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"
#include "conf/scheduler_conf.h"
#include "framework/plugin.h"

namespace batholith {

class Session;

struct ActionDescriptor {
  std::string_view name;
  void (*execute)(Session&, const Arguments&);
  // What the arguments' own specs cannot say; none: nothing.
  Result<void> (*check)(const Arguments&) = nullptr;
  // Resources of nodes that the action may bring; none: it brings no nodes. After `check`.
  std::vector<std::string> (*node_resources)(const Arguments&) = nullptr;
};

// A conf compiled against a registry: every name resolved, every argument checked. Immutable,
// shared by sessions.
struct Pipeline {
  struct PluginEntry {
    const PluginDescriptor* descriptor = nullptr;
    PluginConf conf;
    std::size_t tier = 0;
  };
  struct ActionEntry {
    const ActionDescriptor* descriptor = nullptr;
    Arguments arguments;
  };
  std::vector<ActionEntry> actions;
  std::vector<PluginEntry> plugins;  // tier by tier, in conf order
  std::size_t tiers = 0;
  std::vector<std::string> node_resources;  // of nodes that actions may bring, as the conf says
  bool Has(std::string_view action) const {
    for (const ActionEntry& a : actions) {
      if (a.descriptor->name == action) return true;
    }
    return false;
  }
};

// Errors: a plugin or action of the conf that the registries do not have; arguments of an action
// that do not go together.
Result<Pipeline> Compile(const SchedulerConf& conf, std::span<const PluginDescriptor> plugins,
                         std::span<const ActionDescriptor> actions);

}  // namespace batholith
