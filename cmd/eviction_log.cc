#include "cmd/eviction_log.h"

#include <algorithm>

#include "api/log.h"

namespace batholith {

void EvictionLog::Tell(const CycleResult& result, Metrics& metrics) {
  watch_.Observe(result);
  const std::vector<EvictionRound> rounds = watch_.GoingRound();
  std::set<std::pair<std::string, std::string>> now;
  for (const EvictionRound& round : rounds) {
    // Whose turn it is changes; that they go round does not.
    const auto& [first, second] = std::minmax(round.group, round.for_job);
    now.emplace(first, second);
    if (!told_.contains({first, second}))
      Log(LogLevel::kWarning, "evictions go round", {{"what", EvictionRoundText(round)}});
  }
  told_ = std::move(now);
  metrics.SetEvictionRounds(rounds);
}

}  // namespace batholith
