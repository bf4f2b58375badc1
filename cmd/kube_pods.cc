#include "cmd/kube_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include "api/printable.h"
#include "client/http/reply.h"
#include "cmd/group_fields.h"
#include "codec/json/field.h"
#include "codec/object_reader.h"

namespace batholith {
namespace {

namespace json = boost::json;

// Why one pod waits, in the words of whoever looked at it last.
std::string ReasonOf(const SeenPod& pod) {
  if (pod.record.deletion != 0) return "being deleted";
  for (const json::value& condition : FieldIn(pod.object, {"status", "conditions"}).List()) {
    if (TextIn(condition, {"type"}) != "PodScheduled") continue;
    const std::string message = TextIn(condition, {"message"});
    return message.empty() ? CellAt(condition, {"reason"}, "no reason is given") : OneLine(message);
  }
  return "no scheduler has looked at it (schedulerName " +
         CellAt(pod.object, {"spec", "schedulerName"}, "default-scheduler") + ")";
}

}  // namespace

Result<std::vector<SeenPod>> PodsIn(ClusterApi& api, const std::string& namespace_) {
  Result<Objects> objects = api.List({FindKubeKind("v1", "Pod")}, namespace_, "");
  if (!objects) return std::unexpected(objects.error());
  ObjectReader reader({}, "default");
  std::vector<SeenPod> out;
  for (json::value& object : *objects) {
    auto read = reader.ReadObject(object);
    if (!read) {
      std::cerr << "warning: " << read.error().message << "\n";
      continue;
    }
    if (auto* pod = std::get_if<PodRecord>(&read->records.front()))
      out.push_back({std::move(object), std::move(*pod)});
  }
  return out;
}

GroupCounts CountGroups(const Objects& groups) {
  GroupCounts counts;
  for (const json::value& group : groups) {
    const std::string phase = PhaseOfGroup(group);
    // What other APIs call Scheduled has its places, as Running has.
    ++counts[QueueOfGroup(group)][phase == "Scheduled" ? "Running" : phase];
  }
  return counts;
}

bool IsWaiting(const SeenPod& pod) {
  return pod.record.node_name.empty() && pod.record.phase == PodPhase::kPending;
}

std::string WhyWaiting(const std::vector<const SeenPod*>& pods) {
  struct Reason {
    std::string message;
    std::vector<std::string> names;
  };
  std::vector<Reason> reasons;
  std::map<std::string, std::size_t> places;
  for (const SeenPod* pod : pods) {
    const std::string message = ReasonOf(*pod);
    const auto [it, added] = places.try_emplace(message, reasons.size());
    if (added) reasons.push_back({message, {}});
    reasons[it->second].names.push_back(pod->record.meta.Key());
  }
  std::ranges::stable_sort(reasons, std::greater(), [](const auto& r) { return r.names.size(); });
  std::string out;
  for (const Reason& reason : reasons) {
    std::string names = reason.names[0];
    if (reason.names.size() > 1) names += ", " + reason.names[1];
    if (reason.names.size() > 2) names += ", ...";
    out += fmt::format("  {} pod{} ({}): {}\n", reason.names.size(),
                       reason.names.size() == 1 ? "" : "s", OneLine(names), reason.message);
  }
  return out;
}

}  // namespace batholith
