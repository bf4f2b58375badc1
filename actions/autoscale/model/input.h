#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "actions/autoscale/model/demand.h"
#include "actions/autoscale/model/drain.h"
#include "actions/autoscale/model/node_group.h"
#include "api/objects.h"
#include "api/resource_vector.h"

namespace batholith {

struct PlaceholderCount {
  std::size_t shape = 0;
  std::int64_t count = 0;
};

// One node of the cluster, in a group or not. Units: base units of one schema.
struct AutoscaleNode {
  static constexpr std::size_t kNoGroup = SIZE_MAX;

  std::string name;
  std::size_t group = kNoGroup;
  TimeNs creation = 0;
  bool ready = true;
  bool schedulable = true;           // not cordoned
  bool deleting = false;             // going away, whoever takes it
  bool scale_down_disabled = false;  // the annotation, or its group rolls out
  ResourceVector allocatable;
  // Room for real pods: placeholders do not count, pods that wait for room here do. What is being
  // released counts as room only once it is free.
  ResourceVector free;
  ResourceVector requested;         // by all its real pods; for the utilisation
  ResourceVector daemon_requested;  // of these, by DaemonSets
  ResourceVector mirror_requested;  // of these, by mirror pods
  std::int64_t pods = 0;  // that would have to be moved: no DaemonSet's, no mirror, none finished
  std::vector<PlaceholderCount> placeholders;  // slack that has its place here
};

// One pod of a node that may have to move.
struct NodePod {
  std::size_t id = 0;  // the caller's own
  ResourceVector request;
  PodDrainFacts drain;
};

// All that a decision looks at. The callbacks are asked rarely and must not change between calls.
struct AutoscaleInput {
  std::vector<NodeGroup> groups;
  std::vector<AutoscaleNode> nodes;
  std::vector<std::size_t> gpu_dimensions;  // resources that make a node a GPU node
  std::vector<DemandShape> shapes;          // of demand and of placeholders
  // In the order in which they are served where not all can be: gangs by their first entry.
  std::vector<Demand> demand;
  std::vector<std::string> gangs;       // names, by Demand::gang
  std::int64_t queue_limited_pods = 0;  // that wait for their queue or quota only

  // Whether anything but resources (selector, taints, affinity, ports) allows the shape on the
  // node.
  std::function<bool(std::size_t shape, std::size_t node)> shape_fits;
  // The same of a pod that is on another node now, by its id.
  std::function<bool(std::size_t pod, std::size_t node)> pod_fits;
  // The node's pods but those of DaemonSets. Asked for candidates only.
  std::function<std::vector<NodePod>(std::size_t node)> pods_of;
};

}  // namespace batholith
