#include "cmd/queue_explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/quantity.h"
#include "api/resource_schema.h"
#include "api/resource_vector.h"
#include "client/http/reply.h"
#include "cmd/queue_jobs.h"
#include "cmd/text_table.h"
#include "codec/json/field.h"
#include "plugins/common/queue_hierarchy.h"
#include "scheduler/run_outcome.h"

namespace batholith {
namespace {

namespace json = boost::json;

ResourceList AmountsIn(const json::value& object, std::initializer_list<const char*> path) {
  try {
    return FieldIn(object, path).Bounds();
  } catch (const FieldError& e) {
    std::cerr << "warning: " << KeyOfObject(object) << ": " << e.what() << "\n";
    return {};
  }
}

// "root / research / vision".
std::string PathTo(const std::string& name, const Objects& queues) {
  std::map<std::string, std::string> parents;
  for (const json::value& queue : queues)
    parents[TextIn(queue, {"metadata", "name"})] = TextIn(queue, {"spec", "parent"});
  std::string path = name;
  std::set<std::string> seen{name};  // parents may form a cycle
  for (std::string at = parents[name]; !at.empty() && seen.insert(at).second; at = parents[at])
    path = at + " / " + path;
  return path;
}

std::string Below(const std::string& name, const Objects& queues) {
  std::string out;
  for (const json::value& queue : queues) {
    if (TextIn(queue, {"spec", "parent"}) != name) continue;
    out += (out.empty() ? "" : ", ") + TextIn(queue, {"metadata", "name"});
  }
  return out;
}

// Where hierarchical DRF has it.
std::string Hierarchy(const json::value& queue) {
  const auto note = [&](const char* name) {
    return TextIn(queue, {"metadata", "annotations", name});
  };
  const std::string weights = note(kHierarchyWeightsAnnotation);
  return note(kHierarchyAnnotation) + (weights.empty() ? "" : " (weights " + weights + ")");
}

// What the last session of a simulation told of the queue.
const QueueStatus* ToldOf(const KubeRun& run, const std::string& name) {
  if (run.simulated == nullptr) return nullptr;
  const auto& queues = run.simulated->last.queues;
  const auto it = std::ranges::find(queues, name, &QueueStatus::name);
  return it == queues.end() ? nullptr : &*it;
}

// One row for each resource.
TextRows Figures(const json::value& queue, const std::vector<JobInQueue>& jobs,
                 const QueueStatus* told) {
  const ResourceList allocated = AmountsIn(queue, {"status", "allocated"});
  const ResourceList deserved = told ? told->deserved : AmountsIn(queue, {"spec", "deserved"});
  const ResourceList guarantee = AmountsIn(queue, {"spec", "guarantee", "resource"});
  const ResourceList capability = AmountsIn(queue, {"spec", "capability"});
  ResourceList inqueue;
  ResourceList asked;
  for (const JobInQueue& one : jobs) {
    AddTo(asked, one.asks);
    if (PhaseOf(one.job) == "Inqueue")
      AddTo(inqueue, AmountsIn(one.job.object, {"spec", "minResources"}));
  }
  if (told != nullptr) inqueue = told->inqueue;
  std::set<std::string> names;
  const ResourceList* const lists[] = {&allocated,  &deserved, &guarantee,
                                       &capability, &inqueue,  &asked};
  for (const ResourceList* list : lists) {
    for (const auto& [name, amount] : *list) names.insert(name);
  }
  TextRows rows{{"RESOURCE", "ALLOCATED", "INQUEUE", "REQUEST", "DESERVED", "GUARANTEE",
                 "CAPABILITY", "LEFT"}};
  for (const std::string& name : names) {
    const auto text = [&](const ResourceList& list, const char* otherwise) {
      const auto it = list.find(name);
      return it == list.end() ? std::string(otherwise) : FormatQuantity(it->second, name);
    };
    std::string left = "no limit";
    if (const auto most = capability.find(name); most != capability.end()) {
      const auto held = allocated.find(name);
      const std::int64_t rest =
          ResourceVector::SubSaturating(most->second, held == allocated.end() ? 0 : held->second);
      left = FormatQuantity(std::max<std::int64_t>(0, rest), name);
    }
    rows.push_back({name, text(allocated, "0"), text(inqueue, "0"), text(asked, "0"),
                    text(deserved, "-"), text(guarantee, "-"), text(capability, "-"), left});
  }
  return rows;
}

void PrintQueue(const KubeRun& run, const json::value& queue, const Objects& queues,
                const std::vector<JobInQueue>& jobs) {
  const std::string name = TextIn(queue, {"metadata", "name"});
  const QueueStatus* told = ToldOf(run, name);
  const std::string state = CellAt(queue, {"status", "state"}, "Open");
  PrintField("Queue", PathTo(name, queues));
  if (const std::string below = Below(name, queues); !below.empty()) PrintField("Below it", below);
  if (const std::string path = Hierarchy(queue); !path.empty()) PrintField("Hierarchy", path);
  PrintField("State", state + (state == "Open" ? "" : ": it takes no new jobs in"));
  PrintField("Weight", CellAt(queue, {"spec", "weight"}, "1"));
  if (told != nullptr && !told->deserved.empty())
    PrintField("Share", fmt::format("{:.0f}%", told->share * 100));
  if (CellAt(queue, {"spec", "reclaimable"}, "true") == "false")
    PrintField("Reclaimable", "no: nothing is taken back from it");
  TableShape figures{"  ", 3, {}};
  std::cout << "\n" << TextTable(Figures(queue, jobs, told), figures);
  if (told == nullptr)
    std::cout << "  (deserved is that of the spec: what plugins compute is not on the object)\n";
  if (jobs.empty()) return;
  std::cout << "\n" << HoldersText(jobs);
}

void PrintNext(const std::vector<JobInQueue>& jobs) {
  const auto waits = [](const JobInQueue& one) { return one.waits(); };
  std::cout << "\nJobs that wait: " << std::ranges::count_if(jobs, waits) << " of " << jobs.size()
            << "\n";
  const JobInQueue* next = nullptr;
  for (const JobInQueue& one : jobs) {
    if (one.waits() && (next == nullptr || one.Turn() < next->Turn())) next = &one;
  }
  if (next == nullptr) return;
  std::cout << "\nThe next of them, by priority and age, is " << next->key() << ":\n";
  PrintWhyWaiting(next->job, next->waiting, next->waiting.empty());
}

}  // namespace

Result<void> ExplainQueue(KubeRun& run) {
  const auto queue = run.api->Find(KindsNamed({"Queue"}), "", run.flags.names.front());
  if (!queue) return std::unexpected(queue.error());
  const auto queues = run.api->List(KindsNamed({"Queue"}), "", "");
  if (!queues) return std::unexpected(queues.error());
  const auto groups = run.api->List(KindsNamed({"PodGroup"}), "", "");
  if (!groups) return std::unexpected(groups.error());
  const auto pods = PodsIn(*run.api, "");
  if (!pods) return std::unexpected(pods.error());
  const std::vector<JobInQueue> jobs = JobsOf(run.flags.names.front(), *groups, *pods);
  PrintQueue(run, *queue, *queues, jobs);
  PrintNext(jobs);
  return {};
}

}  // namespace batholith
