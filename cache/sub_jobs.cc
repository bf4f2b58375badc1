#include "cache/sub_jobs.h"

#include <optional>
#include <utility>

#include "api/label_match.h"
#include "api/value_text.h"

namespace batholith {
namespace {

// "policy/value/value"; nothing: the policy does not match.
std::optional<std::string> NameFor(const SubGroupPolicy& policy, const Labels& labels) {
  if (policy.match_label_keys.empty()) return std::nullopt;
  if (policy.selector && !MatchesSelector(policy.selector, labels)) return std::nullopt;
  std::string name = policy.name;
  for (const std::string& key : policy.match_label_keys) {
    const auto label = labels.find(key);
    if (label == labels.end() || label->second.empty()) return std::nullopt;
    name += "/" + label->second;
  }
  return name;
}

}  // namespace

std::uint32_t SubJobs::Join(const PodRecord& pod, JobFacts& job) {
  const std::vector<SubGroupPolicy>& policies = job.record->sub_group_policies;
  for (std::size_t p = 0; p < policies.size(); ++p) {
    std::optional<std::string> name = NameFor(policies[p], pod.meta.labels);
    if (!name) continue;
    const auto [at, added] = known_.try_emplace(
        job.key + '\x1e' + std::to_string(p) + '\x1e' + *name, job.sub_jobs.size());
    if (added) {
      SubJobFacts facts{std::move(*name), static_cast<std::int32_t>(p), policies[p].sub_group_size,
                        INT64_MAX};
      const auto label = pod.meta.labels.find(policies[p].match_label_keys.front());
      facts.number = ParseNumber<std::int64_t>(label->second).value_or(INT64_MAX);
      job.sub_jobs.push_back(std::move(facts));
    }
    return static_cast<std::uint32_t>(at->second);
  }
  return 0;
}

}  // namespace batholith
