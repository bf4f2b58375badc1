#include "framework/label_topology.h"

#include <algorithm>
#include <utility>

#include "api/sort_unique.h"

namespace batholith {
namespace {

const NetworkTopology* TopologyOf(const JobFacts& job) {
  return job.record->network_topology ? &*job.record->network_topology : nullptr;
}

std::vector<const NodeRecord*> RecordsOf(const Snapshot& snapshot) {
  std::vector<const NodeRecord*> out;
  out.reserve(snapshot.nodes.size());
  for (const NodeFacts& node : snapshot.nodes) out.push_back(node.record);
  return out;
}

}  // namespace

LabelKeys LabelKeysOf(const JobFacts& job) {
  LabelKeys out;
  if (const NetworkTopology* own = TopologyOf(job)) out.around = own->node_label;
  if (job.record->starts_with.empty()) return out;
  for (const SubJobFacts& part : job.sub_jobs) {
    if (part.topology != nullptr) out.close.push_back(part.topology->node_label);
  }
  for (const SubGroupPolicy& policy : job.record->sub_group_policies) {
    if (policy.network_topology) out.close.push_back(policy.network_topology->node_label);
  }
  SortUnique(out.close);
  return out;
}

const SubGroupPolicy* CompositeAround(const JobFacts& job, std::uint32_t sub_job) {
  if (job.record->starts_with.empty()) return nullptr;
  std::int32_t at = job.sub_jobs[sub_job].policy;
  while (at >= 0) {
    const SubGroupPolicy& policy = job.record->sub_group_policies[static_cast<std::size_t>(at)];
    if (policy.network_topology) return &policy;
    at = policy.part_of;
  }
  return nullptr;
}

std::vector<TaskIndex> TasksTogether(const Snapshot& snapshot, JobIndex job,
                                     std::uint32_t sub_job) {
  const JobFacts& facts = snapshot.job(job);
  const SubGroupPolicy* around = CompositeAround(facts, sub_job);
  std::vector<TaskIndex> out;
  for (const TaskIndex t : facts.tasks) {
    const std::uint32_t of = snapshot.task(t).sub_job;
    if (of == sub_job || (around != nullptr && CompositeAround(facts, of) == around))
      out.push_back(t);
  }
  return out;
}

LabelTopology::LabelTopology(const Snapshot& snapshot, const SessionState& state, LabelKeys keys)
    : snapshot_(snapshot),
      state_(state),
      keys_(std::move(keys)),
      tree_(TreeOfLabels(keys_, RecordsOf(snapshot))),
      packing_(PackingWeights{}, snapshot.schema) {}

const DomainSums& LabelTopology::sums() {
  if (!sums_) sums_.emplace(tree_, snapshot_, state_);
  sums_->Refresh();
  return *sums_;
}

TopologyLimit LabelTopology::LimitOf(JobIndex job) const {
  return Limit(TopologyOf(snapshot_.job(job)), /*around=*/true);
}

TopologyLimit LabelTopology::LimitOf(JobIndex job, std::uint32_t sub_job) const {
  const JobFacts& facts = snapshot_.job(job);
  if (facts.record->starts_with.empty()) return LimitOf(job);
  const SubGroupPolicy* around = CompositeAround(facts, sub_job);
  return Limit(around == nullptr ? facts.sub_jobs[sub_job].topology : &*around->network_topology,
               /*around=*/false);
}

double LabelTopology::Fullness(const ResourceVector& request, DomainIndex d) {
  return packing_.Of(request, sums_->used(d), sums_->allocatable(d), PackingScore::Missing::kNoFit);
}

TopologyLimit LabelTopology::Limit(const NetworkTopology* topology, bool around) const {
  if (topology == nullptr) return {};
  const std::int64_t tier =
      around ? TierOfAround(keys_, topology->node_label) : TierOfClose(keys_, topology->node_label);
  return {.asked = true, .hard = true, .highest_tier = tier, .lowest_tier = tier};
}

}  // namespace batholith
