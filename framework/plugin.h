#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "api/result.h"
#include "framework/options/arguments.h"
#include "framework/point.h"
#include "framework/session_state.h"
#include "framework/slack_guard.h"

namespace batholith {

// What a plugin is given when a session opens. All references outlive the plugin.
struct PluginContext {
  const Snapshot& snapshot;
  const SessionState& state;  // current columns, always up to date
  PointSet points;            // that are on; kHierarchy is the plugin's enableHierarchy
  std::span<const JobPhase>
      job_phase;                      // current phase of each job (enqueue changes it), by JobIndex
  const SlackGuard* slack = nullptr;  // none: as one that is off
  PointSet asked = {};                // what the actions of the conf ask plugins for

  // What queues share of the cluster.
  const ResourceVector& Shared() const {
    return slack == nullptr ? snapshot.shared : slack->shared();
  }
};

// One plugin in one session. Built when the session opens, its constructor computes its state from
// facts; its destructor is the close. Nothing survives a session.
class Plugin {
 public:
  virtual ~Plugin() = default;
};

// Options of a plugin or action, read from its arguments when the conf is compiled. Only who read
// them knows their type. Immutable, shared by sessions.
using CompiledOptions = std::shared_ptr<const void>;

// What a conf needs to know of a plugin, and how the plugin is built. DescribePlugin
// (framework/describe_plugin.h) fills in what follows from its class.
struct PluginDescriptor {
  std::string_view name;
  std::string_view summary;
  std::span<const ArgumentSpec> arguments = {};
  std::span<const RetiredArgument> retired = {};

  // Switches that change what it does: the points of its class, and kHierarchy where it has a tree.
  PointSet points = {};
  PointSet only_in_tree = {};  // of them, those that it implements with enableHierarchy only
  // Of the points that judge victims, those where it says which of two sides gives way.
  PointSet ranks = {};
  PointSet only_permits = {};  // of the points that vote, those where it never rejects
  bool owns_shares = false;    // says what queues deserve, as only one plugin of a conf may
  bool owns_quotas = false;    // judges by quotas across queues: likewise
  bool reads_clock = false;    // what it says of an unchanged cluster changes as time goes by
  // A plugin that must not be in its tier while enableHierarchy is on; empty: none.
  std::string_view tree_excludes = "";

  // Errors: arguments that do not go together, which no spec can say.
  OptionResult<CompiledOptions> (*read)(const Arguments&) = nullptr;
  std::unique_ptr<Plugin> (*make)(const PluginContext&, const void* options) = nullptr;
};

}  // namespace batholith
