#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "api/placement_need.h"
#include "framework/action.h"
#include "framework/action_needs.h"
#include "framework/plugin.h"

namespace batholith {

// Everything that a conf may name. The spans must outlive it.
struct Registry {
  std::span<const PluginDescriptor> plugins;
  std::span<const ActionDescriptor> actions;
};

// A compiled conf: every name resolved, every argument read. Immutable, shared by sessions.
struct Pipeline {
  struct PluginEntry {
    const PluginDescriptor* descriptor = nullptr;
    PointSet points;
    CompiledOptions options;
    std::size_t tier = 0;
  };
  struct ActionEntry {
    const ActionDescriptor* descriptor = nullptr;
    CompiledOptions options;
  };
  std::vector<ActionEntry> actions;
  std::vector<PluginEntry> plugins;  // tier by tier, in conf order
  std::size_t tiers = 0;
  ActionNeeds needs;         // of all actions
  PlacementNeedSet ignored;  // of what this build does not do: pods are placed all the same

  // Whether the same cluster may be decided otherwise at another time.
  bool ReadsClock() const {
    return Any(&ActionDescriptor::reads_clock) ||
           std::ranges::any_of(plugins,
                               [](const PluginEntry& p) { return p.descriptor->reads_clock; });
  }
  // Whether an action of the conf is such.
  bool Any(bool ActionDescriptor::* trait) const {
    return std::ranges::any_of(actions, [&](const ActionEntry& a) { return a.descriptor->*trait; });
  }
};

}  // namespace batholith
