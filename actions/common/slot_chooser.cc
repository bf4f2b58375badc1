#include "actions/common/slot_chooser.h"

#include <algorithm>
#include <vector>

#include "actions/common/hard_topology.h"
#include "framework/label_topology.h"

namespace batholith {

SlotChooser::SlotChooser(Session& session, JobTopologies& topologies)
    : session_(session), topologies_(topologies), chooser_(session, Fit::kSlotOnly) {}

TopologyDomains* SlotChooser::DomainsFor(JobIndex job) {
  if (!HasHardTopology(session_.snapshot().job(job))) return nullptr;
  TopologyOwner* topology = topologies_.Of(job);
  if (topology == nullptr) return nullptr;
  return &domains_.try_emplace(topology, session_, *topology, Fit::kSlotOnly).first->second;
}

NodeChoice SlotChooser::Best(TaskIndex task) {
  const TaskFacts& facts = session_.snapshot().task(task);
  TopologyDomains* domains = DomainsFor(facts.job);
  if (domains == nullptr) return chooser_.Best(task);
  std::vector<DomainIndex> inside{DomainTree::kRoot};
  const TopologyLimit of_job = domains->topology().LimitOf(facts.job);
  const std::span<const TaskIndex> all = session_.snapshot().job(facts.job).tasks;
  if (of_job.hard) inside = domains->candidates().Around(of_job, all, DomainTree::kRoot);
  const TopologyLimit own = domains->topology().LimitOf(facts.job, facts.sub_job);
  const std::vector<TaskIndex> members =
      TasksTogether(session_.snapshot(), facts.job, facts.sub_job);
  TopologyLimit limit = own.hard ? own : of_job;
  if (own.hard && of_job.hard) limit.highest_tier = std::min(of_job.highest_tier, own.highest_tier);
  if (!limit.hard) limit.highest_tier = INT64_MAX;
  for (const DomainIndex around : inside) {
    const std::vector<DomainIndex> narrower =
        own.hard ? domains->candidates().Around(own, members, around) : std::vector{around};
    for (const DomainIndex root : narrower) {
      const NodeChoice choice = BestIn(task, root, limit, *domains);
      if (!choice.node.is_none()) return choice;
    }
  }
  return {};
}

// The first of the widest domains within the limit, inside that one, that has a node.
NodeChoice SlotChooser::BestIn(TaskIndex task, DomainIndex root, const TopologyLimit& limit,
                               TopologyDomains& domains) {
  const DomainTree& tree = domains.tree();
  for (std::size_t i = root.value(); i < tree[root].end;) {
    const DomainIndex d(i);
    if (!limit.Allows(tree[d].tier)) {
      ++i;
      continue;
    }
    const NodeChoice choice = domains.Best(task, d, nullptr);
    if (!choice.node.is_none()) return choice;
    i = tree[d].end;
  }
  return {};
}

void SlotChooser::Tell(TaskIndex task) {
  const TaskFacts& facts = session_.snapshot().task(task);
  TopologyDomains* domains = DomainsFor(facts.job);
  if (domains == nullptr) {
    session_.attempts().RecordUnfit(task, chooser_.Explain(task));
    return;
  }
  TopologyDomains::Refused refused{.limit = domains->topology().LimitOf(facts.job),
                                   .members = session_.snapshot().job(facts.job).tasks,
                                   .pods = 1};
  if (!refused.limit.hard) {
    refused.limit = domains->topology().LimitOf(facts.job, facts.sub_job);
    refused.sub_job = facts.sub_job;
  }
  domains->Tell(facts.job, refused);
}

}  // namespace batholith
