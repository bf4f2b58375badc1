#include "cmd/queue_jobs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "api/resource_schema.h"
#include "client/http/reply.h"
#include "cmd/group_fields.h"
#include "cmd/output.h"
#include "cmd/text_table.h"

namespace batholith {
namespace {

namespace json = boost::json;

// Of a list that a person reads.
constexpr std::size_t kMostJobs = 10;

TextRows ByNamespace(const std::vector<JobInQueue>& jobs) {
  struct Held {
    std::size_t jobs = 0, placed = 0, waiting = 0;
    ResourceList holds;
  };
  std::map<std::string, Held> spaces;
  for (const JobInQueue& one : jobs) {
    Held& held = spaces[TextIn(one.job.object, {"metadata", "namespace"})];
    ++held.jobs;
    held.placed += one.placed;
    held.waiting += one.waiting.size();
    AddTo(held.holds, one.holds);
  }
  TextRows rows{{"NAMESPACE", "JOBS", "PODS PLACED", "PODS WAITING", "HOLDS"}};
  for (const auto& [name, held] : spaces)
    rows.push_back({name, std::to_string(held.jobs), std::to_string(held.placed),
                    std::to_string(held.waiting), ResourceText(held.holds)});
  return rows;
}

// Those with the most pods first.
TextRows ByJob(std::vector<JobInQueue> jobs) {
  std::ranges::stable_sort(jobs, std::greater(), &JobInQueue::placed);
  TextRows rows{{"JOB", "PHASE", "PODS PLACED", "PODS WAITING", "HOLDS"}};
  for (const JobInQueue& one : jobs) {
    if (rows.size() > kMostJobs) break;
    rows.push_back({one.key(), PhaseOf(one.job), std::to_string(one.placed),
                    std::to_string(one.waiting.size()), ResourceText(one.holds)});
  }
  return rows;
}

}  // namespace

std::string JobInQueue::key() const {
  return TextIn(job.object, {"metadata", "namespace"}) + "/" + NameOfGroup(job.object);
}

bool JobInQueue::waits() const {
  const std::string phase = PhaseOf(job);
  return !waiting.empty() || (placed == 0 && (phase == "Pending" || phase == "Inqueue"));
}

std::tuple<std::int64_t, std::string, std::string> JobInQueue::Turn() const {
  return {-priority.value_or(0), TextIn(job.object, {"metadata", "creationTimestamp"}), key()};
}

std::vector<JobInQueue> JobsOf(const std::string& queue, const Objects& groups,
                               const std::vector<SeenPod>& pods) {
  std::map<std::pair<std::string, std::string>, std::vector<const SeenPod*>> by_group;
  for (const SeenPod& pod : pods)
    by_group[{pod.record.meta.namespace_, pod.record.group}].push_back(&pod);
  std::vector<JobInQueue> out;
  for (const json::value& group : groups) {
    JobInQueue one{
        {group, group, FindKubeKind(TextIn(group, {"apiVersion"}), "PodGroup")}, {}, 0, {}, {}, {}};
    if (QueueNameOf(one.job) != queue) continue;
    for (const SeenPod* pod :
         by_group[{TextIn(group, {"metadata", "namespace"}), NameOfGroup(group)}]) {
      const PodRecord& record = pod->record;
      if (record.phase == PodPhase::kSucceeded || record.phase == PodPhase::kFailed) continue;
      AddTo(one.asks, record.request);
      ++one.asks["pods"];
      const std::int64_t priority = record.priority.value_or(0);
      one.priority = std::max(one.priority.value_or(priority), priority);
      if (IsWaiting(*pod)) one.waiting.push_back(pod);
      if (record.node_name.empty()) continue;
      ++one.placed;
      AddTo(one.holds, record.request);
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::string HoldersText(const std::vector<JobInQueue>& jobs) {
  TableShape spaces{"  ", 3, {}};
  TableShape each{"  ", 3, {}};
  std::string out = TextTable(ByNamespace(jobs), spaces) + "\n" + TextTable(ByJob(jobs), each);
  if (jobs.size() > kMostJobs)
    out += "  and " + std::to_string(jobs.size() - kMostJobs) + " more: batholith job list\n";
  return out;
}

}  // namespace batholith
