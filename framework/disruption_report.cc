#include "framework/disruption_report.h"

#include <algorithm>
#include <map>
#include <string>

#include "api/disruption_target.h"
#include "framework/eviction_units.h"

namespace batholith {
namespace {

std::string MessageOf(const Evict& evict) {
  return "Group is evicted whole, because of " + evict.action +
         (evict.for_job.empty() ? "" : " for " + evict.for_job);
}

}  // namespace

void ReportDisruption(Session& session) {
  const EvictionUnits* units = EvictionUnits::Known(session);
  if (units == nullptr || units->none()) return;
  std::map<std::string, const Evict*> evicted;  // by pod
  for (const Evict& e : session.result().evictions) evicted.emplace(e.pod, &e);
  std::map<std::string, std::string> messages;  // by job, or by part of one
  for (const EvictionUnit& unit : units->all()) {
    for (const TaskIndex t : unit.tasks) {
      const PodRecord& pod = *session.snapshot().task(t).record;
      const auto e = evicted.find(pod.meta.Key());
      if (e == evicted.end()) continue;
      const std::string group = pod.meta.namespace_ + "/" + pod.group;
      messages.emplace(group, MessageOf(*e->second));
      messages.emplace(group + "/" + pod.meta.name, MessageOf(*e->second));
    }
  }
  for (JobStatus& job : session.result().jobs) {
    const auto message = messages.find(job.key);
    if (message == messages.end()) continue;
    std::vector<JobCondition>& conditions = job.conditions.Edit();
    std::erase_if(conditions, [](const JobCondition& c) { return c.type == kDisruptionTarget; });
    conditions.push_back({std::string(kDisruptionTarget), "True",
                          std::string(kPreemptionByScheduler), message->second});
  }
}

}  // namespace batholith
