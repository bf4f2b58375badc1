#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "conf/plugin_args.h"
#include "conf/scheduler_conf.h"
#include "framework/extension_points.h"
#include "framework/session_state.h"
#include "framework/slack_guard.h"

namespace batholith {

// What a plugin is given when a session opens. All references outlive the plugin.
struct PluginContext {
  const Snapshot& snapshot;
  const SessionState& state;  // current columns, always up to date
  const PluginConf& conf;     // points.Has(Point::kHierarchy) is the plugin's enableHierarchy
  const PluginArguments& args;
  std::span<const JobPhase>
      job_phase;                      // current phase of each job (enqueue changes it), by JobIndex
  const SlackGuard* slack = nullptr;  // none: as one that is off

  // What queues share of the cluster.
  const ResourceVector& Shared() const {
    return slack == nullptr ? snapshot.total : slack->shared();
  }
};

// One plugin in one session. Built when the session opens, its constructor computes its state from
// facts; its destructor is the close. Nothing survives a session.
class Plugin {
 public:
  virtual ~Plugin() = default;
};

struct PluginDescriptor {
  std::string_view name;
  std::unique_ptr<Plugin> (*make)(const PluginContext&);
  std::string_view summary;
};

}  // namespace batholith
