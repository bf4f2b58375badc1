#include "actions/autoscale/model/backoff.h"

#include <algorithm>

#include "api/resource_vector.h"

namespace batholith {

TimeNs BackoffAfter(std::int64_t failures, const BackoffConf& conf) {
  TimeNs wait = std::min(conf.initial, conf.max);
  for (std::int64_t i = 1; i < failures && wait < conf.max; ++i) {
    wait = wait > conf.max / 2 ? conf.max : wait * 2;
  }
  return wait;
}

GroupBackoff WithFailure(const GroupBackoff& before, const BackoffConf& conf, TimeNs now) {
  GroupBackoff after = Refreshed(before, conf, now);
  ++after.failures;
  after.last_failure = now;
  after.until = ResourceVector::AddSaturating(now, BackoffAfter(after.failures, conf));
  return after;
}

GroupBackoff Refreshed(const GroupBackoff& before, const BackoffConf& conf, TimeNs now) {
  const bool forgotten = before.last_failure && now - *before.last_failure >= conf.reset;
  return forgotten ? GroupBackoff() : before;
}

}  // namespace batholith
