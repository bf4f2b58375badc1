#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "framework/extension_points.h"
#include "framework/options/read_options.h"
#include "framework/plugin.h"
#include "framework/quota_owner.h"
#include "framework/topology_owner.h"

namespace batholith {

// Adds to `points` what the class implements by inheriting it.
template <typename Class>
constexpr PointSet PointsOf(PointSet points) {
  const auto add = [&points]<typename Interface>(std::type_identity<Interface>, Point point) {
    if (std::derived_from<Class, Interface>) points.Set(point, true);
  };
  add(std::type_identity<JobOrder>(), Point::kJobOrder);
  add(std::type_identity<NamespaceOrder>(), Point::kNamespaceOrder);
  add(std::type_identity<QueueOrder>(), Point::kQueueOrder);
  add(std::type_identity<TaskOrder>(), Point::kTaskOrder);
  add(std::type_identity<JobReady>(), Point::kJobReady);
  add(std::type_identity<JobPipelined>(), Point::kJobPipelined);
  add(std::type_identity<JobStarving>(), Point::kJobStarving);
  add(std::type_identity<Preemptable>(), Point::kPreemptable);
  add(std::type_identity<Reclaimable>(), Point::kReclaimable);
  add(std::type_identity<Predicate>(), Point::kPredicate);
  add(std::type_identity<NodeOrder>(), Point::kNodeOrder);
  add(std::type_identity<JobEnqueueable>(), Point::kJobEnqueued);
  add(std::type_identity<VictimTasks>(), Point::kVictim);
  for (const Point point : {Point::kHyperNodeOrder, Point::kHyperNodeGradient})
    add(std::type_identity<TopologyOwner>(), point);
  for (const Point point : {Point::kOverused, Point::kAllocatable, Point::kPreemptive})
    add(std::type_identity<QueueAdmission>(), point);
  return points;
}

// The descriptor of a plugin whose class is built from a PluginContext and the options that kRead
// returns; without kRead it takes no arguments.
template <typename Class, auto kRead = ReadNoOptions>
constexpr PluginDescriptor DescribePlugin(PluginDescriptor about) {
  using Options = OptionsOf<kRead>;
  about.points = PointsOf<Class>(about.points);
  about.owns_shares = std::derived_from<Class, QueueShare>;
  about.owns_quotas = std::derived_from<Class, QuotaOwner>;
  about.read = ReadErased<kRead>;
  about.make = [](const PluginContext& context, const void* options) -> std::unique_ptr<Plugin> {
    if constexpr (std::same_as<Options, NoOptions>) {
      return std::make_unique<Class>(context);
    } else {
      return std::make_unique<Class>(context, *static_cast<const Options*>(options));
    }
  };
  return about;
}

}  // namespace batholith
