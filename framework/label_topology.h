#pragma once

#include <optional>

#include "framework/packing.h"
#include "framework/topology_owner.h"
#include "topology/label_tree.h"

namespace batholith {

// The labels of nodes that the job's group, or the groups that it stands for, name; empty: none.
LabelKeys LabelKeysOf(const JobFacts& job);

// Of a job that stands for several groups, the composite group, by its policy, that keeps this one
// together with others by a label of nodes; nullptr: none does, or all of the job is.
const SubGroupPolicy* CompositeAround(const JobFacts& job, std::uint32_t sub_job);
// Tasks that are kept on nodes with one value of a label with those of the sub-job, or by
// HyperNodes; in index order: of the sub-job, or of all in the composite group around it.
std::vector<TaskIndex> TasksTogether(const Snapshot& snapshot, JobIndex job, std::uint32_t sub_job);

// Domains of labels that groups of scheduling.k8s.io name: whatever the conf has, each group stays
// on nodes with one value of its label. Fuller domains come first; nodes inside one are alike.
class LabelTopology final : public TopologyOwner {
 public:
  // Of a label that is not among the keys no node has a value.
  LabelTopology(const Snapshot& snapshot, const SessionState& state, LabelKeys keys);

  const DomainTree& tree() const override { return tree_; }
  const DomainSums& sums() override;
  TopologyLimit LimitOf(JobIndex job) const override;
  TopologyLimit LimitOf(JobIndex job, std::uint32_t sub_job) const override;
  double Fullness(const ResourceVector& request, DomainIndex d) override;
  double Closeness(DomainIndex /*held*/, DomainIndex /*leaf*/) const override { return 0; }
  double weight() const override { return 0; }
  void ReportDomains(CycleResult& /*result*/) const override {}

 private:
  TopologyLimit Limit(const NetworkTopology* topology, bool around) const;

  const Snapshot& snapshot_;
  const SessionState& state_;
  LabelKeys keys_;
  DomainTree tree_;
  const PackingScore packing_;      // cpu and memory count alike
  std::optional<DomainSums> sums_;  // once somebody asked
};

}  // namespace batholith
