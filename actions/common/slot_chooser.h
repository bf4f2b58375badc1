#pragma once

#include <map>

#include "actions/common/job_topologies.h"
#include "actions/common/topology_domains.h"
#include "framework/node_chooser.h"

namespace batholith {

// Finds nodes for pods that ask for nothing but a slot, also of jobs with a hard topology: inside
// its limit, around what they have; the first of them decides where, in the order of names. Lives
// for one action.
class SlotChooser {
 public:
  SlotChooser(Session& session, JobTopologies& topologies);

  NodeChoice Best(TaskIndex task);
  // Why there is none.
  void Tell(TaskIndex task);

 private:
  // Of a job with a hard topology; nullptr: it has none.
  TopologyDomains* DomainsFor(JobIndex job);
  NodeChoice BestIn(TaskIndex task, DomainIndex root, const TopologyLimit& limit,
                    TopologyDomains& domains);

  Session& session_;
  JobTopologies& topologies_;
  NodeChooser chooser_;
  std::map<const TopologyOwner*, TopologyDomains> domains_;  // looked up only
};

}  // namespace batholith
