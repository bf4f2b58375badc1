#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "api/autoscale_report.h"
#include "api/cluster_objects.h"

namespace batholith {

// The machines behind the node groups of a simulated cluster: a new node is there the group's delay
// after it was asked for; one that has to go is cordoned at once and gone when its pods are.
class SimNodeGroups {
 public:
  // Groups that ask for more nodes than carry their label get them at once.
  void StandUp(ClusterObjects& objects, TimeNs now);
  // Takes the orders in. Pods that have to leave their node are returned, by key.
  std::vector<std::string> Apply(const std::vector<NodeGroupOrder>& orders, ClusterObjects& objects,
                                 TimeNs now);
  // Nodes that are due come, and nodes without pods that have to go are gone.
  void Advance(ClusterObjects& objects, TimeNs now);
  // Whether time alone will change something.
  bool IsRestless() const { return !coming_.empty() || !going_.empty(); }

 private:
  struct Coming {
    std::string group;
    TimeNs at = 0;
  };

  // Cost: O(log nodes) for each, and O(nodes log nodes) once.
  static void AddNodes(ClusterObjects& objects, const NodeGroupRecord& group, std::int64_t count,
                       TimeNs now);
  static void AddNode(ClusterObjects& objects, const NodeGroupRecord& group, std::string name,
                      TimeNs now);

  std::vector<Coming> coming_;
  std::set<std::string> going_;
};

}  // namespace batholith
