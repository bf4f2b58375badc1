#include "cache/match_policy.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

// The second one is what older versions of Koordinator's objects carry.
constexpr std::string_view kKeys[] = {"gang.scheduling.koordinator.sh/match-policy",
                                      "pod-group.scheduling.sigs.k8s.io/match-policy"};

enum class MatchPolicy : std::uint8_t {
  kOnceSatisfied,      // after the first start every pod is on its own
  kWaitingAndRunning,  // the minimum holds always
  kOnlyWaiting,        // as many as the minimum start at once each time
};

MatchPolicy PolicyOf(const PodGroupRecord& group, std::vector<std::string>& notices) {
  for (const std::string_view key : kKeys) {
    const auto it = group.meta.annotations.find(std::string(key));
    if (it == group.meta.annotations.end()) continue;
    if (it->second == "once-satisfied") return MatchPolicy::kOnceSatisfied;
    if (it->second == "waiting-and-running") return MatchPolicy::kWaitingAndRunning;
    if (it->second == "only-waiting") return MatchPolicy::kOnlyWaiting;
    notices.push_back("PodGroup " + group.meta.Key() + ": metadata.annotations." +
                      std::string(key) + ": \"" + it->second +
                      "\" is none of once-satisfied, waiting-and-running, only-waiting: counts as "
                      "once-satisfied");
    break;
  }
  return MatchPolicy::kOnceSatisfied;
}

// Of the pods of one part.
struct Counts {
  std::int32_t ready = 0;
  std::int32_t waiting = 0;
};

// Of a gang that has started what it has is still kept together.
std::int32_t Minimum(MatchPolicy policy, std::int32_t minimum, const Counts& has) {
  if (policy == MatchPolicy::kOnceSatisfied) return std::min(minimum, has.ready);
  return has.waiting == 0 ? minimum : minimum + std::min(has.ready, INT32_MAX - minimum);
}

void Apply(MatchPolicy policy, const Snapshot& snapshot, JobFacts& job) {
  std::vector<Counts> parts(job.sub_jobs.size());
  bool started = false;
  for (const TaskIndex t : job.tasks) {
    const TaskFacts& task = snapshot.task(t);
    Counts& part = parts[task.sub_job];
    if (CountsAsReady(task.status)) ++part.ready;
    if (task.status == TaskStatus::kPending) ++part.waiting;
    started = started || !task.record->node_name.empty();
  }
  if (policy == MatchPolicy::kOnceSatisfied && !started) return;
  const bool alone = job.sub_jobs.size() == 1;
  std::int64_t sum = 0;
  for (std::size_t s = alone ? 0 : 1; s < parts.size(); ++s) {
    std::int32_t& minimum = job.sub_jobs[s].min_available;
    minimum = Minimum(policy, minimum, parts[s]);
    sum += minimum;
  }
  job.min_available = static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, 1, INT32_MAX));
}

}  // namespace

void ApplyMatchPolicies(Snapshot& snapshot) {
  for (JobFacts& job : snapshot.jobs) {
    if (job.record->api != GroupApi::kKoordinator) continue;
    const MatchPolicy policy = PolicyOf(*job.record, snapshot.notices);
    if (policy != MatchPolicy::kWaitingAndRunning) Apply(policy, snapshot, job);
  }
}

}  // namespace batholith
