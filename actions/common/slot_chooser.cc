#include "actions/common/slot_chooser.h"

#include <algorithm>
#include <vector>

#include "actions/common/hard_topology.h"

namespace batholith {
SlotChooser::SlotChooser(Session& session)
    : session_(session), chooser_(session, NodeChooser::Fit::kSlotOnly) {}

NodeChoice SlotChooser::Best(TaskIndex task) {
  const TaskFacts& facts = session_.snapshot().task(task);
  TopologyOwner* topology = session_.chains().topology();
  if (topology == nullptr || !HasHardTopology(session_.snapshot().job(facts.job)))
    return chooser_.Best(task);
  const DomainTree& tree = topology->tree();
  DomainCandidates candidates(session_, *topology);
  std::vector<DomainIndex> inside{DomainTree::kRoot};
  const TopologyLimit of_job = topology->LimitOf(facts.job);
  const std::span<const TaskIndex> all = session_.snapshot().job(facts.job).tasks;
  if (of_job.hard) inside = candidates.Around(of_job, all, DomainTree::kRoot);
  const TopologyLimit own = topology->LimitOf(facts.job, facts.sub_job);
  std::vector<TaskIndex> members;
  for (const TaskIndex t : all) {
    if (session_.snapshot().task(t).sub_job == facts.sub_job) members.push_back(t);
  }
  if (!regions_) regions_.emplace(session_, NodeChooser::Fit::kSlotOnly);
  const std::int64_t highest = std::min(of_job.hard ? of_job.highest_tier : INT64_MAX,
                                        own.hard ? own.highest_tier : INT64_MAX);
  for (const DomainIndex around : inside) {
    const std::vector<DomainIndex> narrower =
        own.hard ? candidates.Around(own, members, around) : std::vector{around};
    for (const DomainIndex root : narrower) {
      for (std::size_t i = root.value(); i < tree[root].end;) {
        const DomainIndex d(i);
        if (tree[d].tier > highest) {
          ++i;
          continue;
        }
        const NodeChoice choice =
            regions_->Best(task, {static_cast<std::uint32_t>(d.value()), tree.NodesIn(d)}, nullptr);
        if (!choice.node.is_none()) return choice;
        i = tree[d].end;
      }
    }
  }
  return {};
}

}  // namespace batholith
