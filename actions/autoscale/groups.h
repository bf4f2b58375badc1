#pragma once

#include <string>
#include <vector>

#include "actions/autoscale/model/node_group.h"
#include "actions/autoscale/options.h"
#include "framework/session.h"

namespace batholith {

// The groups of a session and whose nodes are whose.
struct SessionGroups {
  std::vector<NodeGroup> groups;
  std::vector<std::size_t> of_node;   // by node; SIZE_MAX: of none
  std::vector<NodeRecord> templates;  // by group, as a node that could stand; empty without one
  std::vector<std::string> targets;   // by group: its NodeGroupRecord's name; empty: it has none
  std::vector<bool> rolling_out;      // by group
};

// Groups of the conf, of Cluster API where that is on, and of a simulated cluster, by name. A
// group's template is taken from one of its ready nodes, else from what its object or the conf
// says. What DaemonSets take of a new node: one pod of each that may stand on it.
SessionGroups FindGroups(const Session& session, const AutoscaleOptions& options);

// Whether pods of these constraints may stand on a node of the template, resources aside.
bool MayStandOn(const PodConstraints& constraints, const NodeRecord& node);

}  // namespace batholith
