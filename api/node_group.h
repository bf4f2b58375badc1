#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/objects.h"

namespace batholith {

// A set of equal machines whose number can be set, as the cluster tells it: a MachineDeployment of
// Cluster API, or a group of a simulated cluster.
struct NodeGroupRecord {
  ObjectMeta meta;   // namespace empty: of a simulated cluster
  std::string kind;  // MachineDeployment, NodeGroup
  std::int32_t min = 0;
  std::int32_t max = 0;       // 0: it is no group that may be scaled
  std::int32_t replicas = 0;  // what was asked for
  // What a new node will be: labels, taints and allocatable; none: nobody knows.
  std::optional<NodeRecord> node_template;
  bool paused = false;
  bool rolling_out = false;  // its nodes are being exchanged
  TimeNs delay = 0;          // of a simulated cluster: from asking for a node to having it

  // MachineDeployment/namespace/name, or the bare name of a simulated one.
  std::string Name() const { return meta.namespace_.empty() ? meta.name : kind + "/" + meta.Key(); }
  bool operator==(const NodeGroupRecord&) const = default;
};

// One machine of a MachineDeployment: what ties a node to its group.
struct MachineRecord {
  ObjectMeta meta;
  std::string deployment;  // in the machine's namespace
  std::string node;        // empty: it is none yet
  bool marked = false;     // by us: the next to go when the group shrinks

  // The NodeGroupRecord's name; empty: it is of none.
  std::string Group() const {
    return deployment.empty() ? "" : "MachineDeployment/" + meta.namespace_ + "/" + deployment;
  }
  bool operator==(const MachineRecord&) const = default;
};

// Annotation of a Machine that makes it the next to go, and our value of it.
inline constexpr const char* kDeleteMachine = "cluster.x-k8s.io/delete-machine";
inline constexpr const char* kMarkedByUs = "batholith";

// On the nodes of a simulated group.
inline constexpr const char* kNodeGroupLabel = "batholith.dev/node-group";

}  // namespace batholith
