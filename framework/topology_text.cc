#include "framework/topology_text.h"

#include <fmt/format.h>

namespace batholith {
namespace {

std::string WhoseTopology(const JobFacts& job, const TopologyRefusal& why) {
  return why.of_sub_job ? "sub-group " + job.sub_jobs[why.sub_job].name + ": " : "";
}

std::string NoRoomText(const TopologyRefusal& why) {
  const std::string what = why.hard ? fmt::format("no HyperNode of tier ≤ {}", why.highest_tier)
                                    : std::string("no HyperNode");
  std::string out =
      fmt::format("{} has room for {} pod{}", what, why.pods, why.pods == 1 ? "" : "s");
  if (why.domains == 0) return out + ": there is none";
  out += fmt::format(": {} of {} lack room in all", why.domains - why.tried, why.domains);
  if (why.tried > 0) out += fmt::format(", {} have no nodes that take each pod", why.tried);
  return out;
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
      return WhoseTopology(facts, *why) +
             fmt::format("what it has is in no one HyperNode of tier ≤ {}", why->highest_tier);
    case TopologyRefusal::Why::kNoRoom:
      return WhoseTopology(facts, *why) + NoRoomText(*why);
  }
  return {};
}

}  // namespace batholith
