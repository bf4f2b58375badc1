#include "cmd/cluster_notices.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "api/log.h"
#include "quota/validate.h"
#include "scheduler/quota_hints.h"
#include "scheduler/victim_conflicts.h"

namespace batholith {

bool ClusterNotices::Tell(const std::string& sentence) {
  constexpr std::size_t kMost = 10'000;
  if (told_.size() > kMost) told_.clear();
  if (!told_.insert(sentence).second) return false;
  Log(LogLevel::kWarning, sentence);
  return true;
}

void ClusterNotices::Tell(const ClusterObjects& objects, const Pipeline& pipeline,
                          const CycleResult& report, bool changed,
                          const std::function<void(const std::string&)>& on_hint) {
  for (const std::string& notice : report.notices) Tell(notice);
  std::vector<std::string> hints = VictimConflicts(objects, pipeline, report);
  if (changed) {
    for (const QuotaProblem& problem : CheckQuotas(objects)) Tell(problem.Text());
    std::ranges::move(QuotaHints(objects, pipeline), std::back_inserter(hints));
  }
  for (const std::string& hint : hints) {
    if (Tell(hint) && on_hint) on_hint(hint);
  }
}

}  // namespace batholith
