#include "cache/sub_jobs.h"

#include <string>
#include <vector>

#include "api/label_match.h"

namespace batholith {

std::uint32_t SubJobOf(const PodRecord& pod, JobFacts& job) {
  const std::vector<SubGroupPolicy>& policies = job.record->sub_group_policies;
  for (std::size_t p = 0; p < policies.size(); ++p) {
    if (policies[p].selector && !MatchesSelector(policies[p].selector, pod.meta.labels)) continue;
    std::string name = policies[p].name;
    bool all = true;
    for (const std::string& key : policies[p].match_label_keys) {
      const auto label = pod.meta.labels.find(key);
      all = all && label != pod.meta.labels.end();
      if (all) name += "/" + label->second;
    }
    if (!all) continue;
    for (std::size_t s = 0; s < job.sub_jobs.size(); ++s) {
      if (job.sub_jobs[s].name == name) return static_cast<std::uint32_t>(s);
    }
    job.sub_jobs.push_back({name, static_cast<std::int32_t>(p), policies[p].sub_group_size});
    return static_cast<std::uint32_t>(job.sub_jobs.size() - 1);
  }
  return 0;
}

}  // namespace batholith
