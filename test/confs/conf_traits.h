#pragma once

#include <string_view>

#include "conf/scheduler_conf.h"

namespace batholith::property {

// What a conf promises, read from its parsed form: an invariant holds only where the plugin that
// keeps it stands in the conf with its point on.
class ConfTraits {
 public:
  explicit ConfTraits(const SchedulerConf& conf) : conf_(&conf) {}

  bool Has(std::string_view plugin, Point point) const;

  // Evictions for somebody else's sake spare what the plugin guards: preempt and reclaim both.
  bool Guards(std::string_view plugin, std::string_view action) const;
  // No action that evicts stands before an allocate.
  bool PlacesBeforeItEvicts() const;
  // Autoscaling has a limit on the nodes of the whole cluster.
  bool LimitsNodes() const;

 private:
  const PluginConf* Find(std::string_view plugin) const;

  const SchedulerConf* conf_;
};

}  // namespace batholith::property
