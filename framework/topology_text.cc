#include "framework/topology_text.h"

#include <fmt/format.h>

#include "api/printable.h"
#include "framework/label_topology.h"

namespace batholith {
namespace {

// Of a job that stands for several groups a sub-job is one of these.
std::string WhoseTopology(const JobFacts& job, const TopologyRefusal& why) {
  if (!why.of_sub_job) return {};
  if (const SubGroupPolicy* around = CompositeAround(job, why.sub_job))
    return "composite group " + around->name + ": ";
  return (job.record->starts_with.empty() ? "sub-group " : "group ") +
         job.sub_jobs[why.sub_job].name + ": ";
}

// The label of nodes that keeps the pods together; empty: HyperNodes do.
std::string LabelOf(const JobFacts& job, const TopologyRefusal& why) {
  const NetworkTopology* topology = nullptr;
  if (!why.of_sub_job) {
    if (job.record->network_topology) topology = &*job.record->network_topology;
  } else if (const SubGroupPolicy* around = CompositeAround(job, why.sub_job)) {
    topology = &*around->network_topology;
  } else {
    topology = job.sub_jobs[why.sub_job].topology;
  }
  return topology == nullptr ? "" : ShortLine(topology->node_label, 80);
}

std::string NoRoomText(const TopologyRefusal& why, const std::string& label) {
  std::string what = "no HyperNode";
  if (!label.empty()) {
    if (why.domains == 0) return "no node has the label " + label;
    what = "no value of node label " + label;
  } else if (why.hard) {
    what += fmt::format(" of tier ≤ {}", why.highest_tier);
  }
  std::string out =
      fmt::format("{} has room for {} pod{}", what, why.pods, why.pods == 1 ? "" : "s");
  if (why.domains == 0) return out + ": there is none";
  out += fmt::format(": {} of {} lack room in all", why.domains - why.tried, why.domains);
  if (why.tried > 0) out += fmt::format(", {} have no nodes that take each pod", why.tried);
  return out;
}

std::string SpreadText(const TopologyRefusal& why, const std::string& label) {
  if (!label.empty()) return "what it has is not on nodes with one value of label " + label;
  return fmt::format("what it has is in no one HyperNode of tier ≤ {}", why.highest_tier);
}

}  // namespace

std::string TopologyText(const Session& session, JobIndex job) {
  const TopologyRefusal* why = session.attempts().TopologyRefusalOf(job);
  if (why == nullptr) return {};
  const JobFacts& facts = session.snapshot().job(job);
  switch (why->why) {
    case TopologyRefusal::Why::kNoPlugin:
      return "networkTopology is hard, and the conf has no plugin network-topology-aware";
    case TopologyRefusal::Why::kSpread:
      return WhoseTopology(facts, *why) + SpreadText(*why, LabelOf(facts, *why));
    case TopologyRefusal::Why::kNoRoom:
      return WhoseTopology(facts, *why) + NoRoomText(*why, LabelOf(facts, *why));
    case TopologyRefusal::Why::kManyLabels:
      return "groups that wait keep their pods together by more labels of nodes than are looked at";
  }
  return {};
}

}  // namespace batholith
