#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>

#include "client/http/reply.h"
#include "cmd/group_fields.h"
#include "cmd/job_command.h"
#include "cmd/text_table.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

// "1 Pending, 3 Running".
std::string Text(const std::map<std::string, int>& counts) {
  std::string out;
  for (const auto& [phase, n] : counts)
    out += (out.empty() ? "" : ", ") + std::to_string(n) + " " + phase;
  return out.empty() ? "none" : out;
}

std::string PhaseCounts(const std::vector<const SeenPod*>& pods) {
  std::map<std::string, int> counts;
  for (const SeenPod* pod : pods) ++counts[CellAt(pod->object, {"status", "phase"}, "Pending")];
  return Text(counts);
}

// "4 pods at once: cpu=4".
std::string StartsWith(const json::value& group) {
  const std::string pods = MinimumOfGroup(group);
  return pods + (pods == "1" ? " pod" : " pods at once") +
         (FieldIn(group, {"spec", "minResources"}).present()
              ? ": " + AmountsAt(group, {"spec", "minResources"})
              : "");
}

// The queue's state and figures; what of them keeps jobs out comes first.
Result<void> PrintQueue(KubeRun& run, const std::string& name) {
  const auto queue = run.api->Find(KindsNamed({"Queue"}), "", name);
  if (!queue && queue.error().code != ErrorCode::kNotFound) return std::unexpected(queue.error());
  std::cout << "\nQueue " << name << ":\n";
  if (!queue) {
    std::cout << "  it does not exist: create it, or give the job another one\n";
    return {};
  }
  const std::string state = CellAt(*queue, {"status", "state"}, "Open");
  std::cout << "  " << state << (state == "Open" ? "" : ": it takes no new jobs in") << ", weight "
            << CellAt(*queue, {"spec", "weight"}, "1") << "\n";
  const auto groups = run.api->List(KindsNamed({"PodGroup"}), "", "");
  TextRows rows;
  if (groups) rows.push_back({"pod groups", Text(CountGroups(*groups)[name])});
  if (!groups) std::cerr << "warning: not counted: " << groups.error().message << "\n";
  rows.push_back({"allocated", AmountsAt(*queue, {"status", "allocated"})});
  rows.push_back({"deserved", AmountsAt(*queue, {"spec", "deserved"})});
  rows.push_back({"guarantee", AmountsAt(*queue, {"spec", "guarantee", "resource"})});
  rows.push_back({"capability", AmountsAt(*queue, {"spec", "capability"})});
  std::erase_if(rows, [](const auto& row) { return row[0] != "allocated" && row[1] == "-"; });
  TableShape shape{"  ", 3, {}};
  std::cout << TextTable(rows, shape);
  return {};
}

// A condition that says what keeps the group from its places, in the words of its API.
bool IsWhyWaiting(const json::value& condition) {
  const std::string type = TextIn(condition, {"type"});
  if (type == "PodGroupInitiallyScheduled" || type == "PodGroupScheduled")
    return TextIn(condition, {"status"}) == "False";
  return type != "Scheduled" && TextIn(condition, {"status"}) == "True";
}

void ExplainGroup(const SeenJob& job) {
  if (job.group.is_null()) {
    std::cout << "  it has no pod group yet: Volcano's controllers make it; do they run?\n";
    return;
  }
  const std::string phase = PhaseOfGroup(job.group);
  // The gang has started: its conditions tell of the time before.
  if (phase == "Running" || phase == "Scheduled") return;
  if (phase == "Pending" && IsVolcanosGroup(job.group))
    std::cout << "  not let into its queue yet (the pod group's phase is Pending)\n";
  for (const json::value& c : FieldIn(job.group, {"status", "conditions"}).List()) {
    if (!IsWhyWaiting(c)) continue;
    std::cout << "  " << CellAt(c, {"type"}) << " (" << CellAt(c, {"reason"})
              << "): " << CellAt(c, {"message"}) << "\n";
  }
}

}  // namespace

void PrintWhyWaiting(const SeenJob& job, const std::vector<const SeenPod*>& waiting,
                     bool has_no_pods) {
  ExplainGroup(job);
  if (has_no_pods) std::cout << "  it has no pods yet\n";
  std::cout << WhyWaiting(waiting);
}

Result<void> ExplainJob(KubeRun& run) {
  const auto job = FindJob(run, run.flags.names.front());
  if (!job) return std::unexpected(job.error());
  const auto all = PodsIn(*run.api, TextIn(job->object, {"metadata", "namespace"}));
  if (!all) return std::unexpected(all.error());
  const std::vector<const SeenPod*> pods = PodsOf(*job, *all);
  std::vector<const SeenPod*> waiting;
  std::ranges::copy_if(pods, std::back_inserter(waiting),
                       [](const SeenPod* pod) { return IsWaiting(*pod); });
  PrintField("Job", KeyOfObject(job->object));
  PrintField("Phase", PhaseOf(*job));
  PrintField("Pods", PhaseCounts(pods));
  if (!job->group.is_null()) PrintField("Starts with", StartsWith(job->group));
  std::cout << "\nWhy it waits:\n";
  if (waiting.empty() && !pods.empty()) {
    std::cout << "  it does not: every pod has its place\n";
  } else {
    PrintWhyWaiting(*job, waiting, pods.empty());
  }
  return PrintQueue(run, QueueNameOf(*job));
}

}  // namespace batholith
