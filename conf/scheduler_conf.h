#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "api/placement_need.h"
#include "framework/action.h"
#include "framework/options/conf_value.h"
#include "framework/plugin.h"

namespace batholith {

struct PluginConf {
  const PluginDescriptor* descriptor = nullptr;
  PointSet points = PointSet::Default();  // that are on
  ConfValue arguments = {};               // checked against the descriptor's table
  int line = 0;

  std::string_view name() const { return descriptor->name; }
  // Whether the plugin implements the point as it stands in the conf, and the point is on.
  bool Acts(Point point) const {
    const bool in_tree = points.Has(Point::kHierarchy) || !descriptor->only_in_tree.Has(point);
    return points.Has(point) && descriptor->points.Has(point) && in_tree;
  }
};

struct ActionConf {
  const ActionDescriptor* descriptor = nullptr;
  ConfValue arguments = {};  // from `configurations`, checked against the descriptor's table
  int line = 0;

  std::string_view name() const { return descriptor->name; }
};

// A plugin or an action that is known and not part of this build, so that the conf holds without
// it.
struct LeftOut {
  std::string kind;  // "plugin" or "action"
  std::string name;
  std::string text() const { return kind + " " + name; }
  bool operator==(const LeftOut&) const = default;
};

struct Tier {
  std::vector<PluginConf> plugins;
};

// A conf that was read, but not compiled. The descriptors are those of the registry that it was
// read with, which must outlive it.
struct SchedulerConf {
  std::string file;  // its name, for messages
  std::vector<ActionConf> actions;
  std::vector<Tier> tiers;
  std::vector<std::string> warnings;
  std::vector<LeftOut> left_out;  // none unless that was allowed
  PlacementNeedSet ignored;       // of `ignore`

  template <typename Holds>
  bool AnyPlugin(Holds holds) const {
    return std::ranges::any_of(
        tiers, [&](const Tier& tier) { return std::ranges::any_of(tier.plugins, holds); });
  }
  // Whether an action is there that does nothing without a plugin for the point.
  bool Asks(Point point) const {
    return std::ranges::any_of(
        actions, [point](const ActionConf& a) { return a.descriptor->asks.Has(point); });
  }
};

}  // namespace batholith
