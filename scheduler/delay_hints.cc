#include "scheduler/delay_hints.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "api/resource_vector.h"
#include "plugins/elasticquota/options.h"
#include "plugins/sla/options.h"
#include "scheduler/options_in.h"

namespace batholith {
namespace {

using std::chrono::nanoseconds;

// "300s", or with a fraction of a second.
std::string Text(nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  if (seconds == time) return fmt::format("{}", seconds);
  return fmt::format("{}", std::chrono::duration<double>(time));
}

std::string Hint(const char* delay, nanoseconds how_long, nanoseconds length, std::string what) {
  return fmt::format(
      "{} is {}, and the last session is {} after the first: {} (simulate longer: --cycles, "
      "--period)",
      delay, Text(how_long), Text(length), what);
}

// "a/b", or "a/b and 2 more".
std::string Named(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {} more", names.front(), names.size() - 1);
}

bool IsOverRuntime(const QuotaStatus& quota) {
  return std::ranges::any_of(quota.runtime, [&](const auto& limit) {
    const auto used = quota.used.find(limit.first);
    return used != quota.used.end() && used->second > limit.second;
  });
}

std::string HintOfRevocation(const Pipeline& pipeline, const CycleResult& last,
                             nanoseconds length) {
  const auto* options = OptionsIn<QuotaOptions>(pipeline, ElasticQuotaArguments());
  if (options == nullptr || !pipeline.Any(&ActionDescriptor::revokes_quotas)) return {};
  const nanoseconds delay(options->delay_evict_ns);
  if (!options->monitor_all || !options->use_runtime || delay <= length) return {};
  std::vector<std::string> over;
  for (const QuotaStatus& quota : last.quotas) {
    if (IsOverRuntime(quota)) over.push_back(quota.name);
  }
  if (over.empty()) return {};
  return Hint("delayEvictTime of plugin elasticquota", delay, length,
              "quota " + Named(over) + " still keeps what is used beyond the runtime");
}

std::string HintOfWaiting(const ClusterObjects& objects, const Pipeline& pipeline,
                          const CycleResult& last, TimeNs end, nanoseconds length) {
  const auto* options = OptionsIn<SlaOptions>(pipeline, SlaArguments());
  if (options == nullptr) return {};
  std::map<std::string, const PodGroupRecord*> groups;
  for (const PodGroupRecord& group : objects.pod_groups) groups[group.Identity()] = &group;
  std::optional<nanoseconds> least;
  std::vector<std::string> waiting;
  for (const JobStatus& job : last.jobs) {
    const auto group = groups.find(job.key);
    if (job.message.empty() || group == groups.end()) continue;
    const ObjectMeta& meta = group->second->meta;
    const auto wait = WaitingTimeOf(meta.annotations, *options);
    if (!wait || ResourceVector::AddSaturating(meta.creation, wait->count()) <= end) continue;
    least = std::min(least.value_or(*wait), *wait);
    waiting.push_back(job.key);
  }
  if (waiting.empty()) return {};
  return Hint("sla-waiting-time", *least, length,
              "job " + Named(waiting) + " waits and has not waited so long yet");
}

}  // namespace

std::vector<std::string> DelayHints(const ClusterObjects& objects, const Pipeline& pipeline,
                                    const CycleResult& last, TimeNs end, nanoseconds length) {
  std::vector<std::string> hints;
  for (std::string hint : {HintOfRevocation(pipeline, last, length),
                           HintOfWaiting(objects, pipeline, last, end, length)}) {
    if (!hint.empty()) hints.push_back(std::move(hint));
  }
  return hints;
}

}  // namespace batholith
