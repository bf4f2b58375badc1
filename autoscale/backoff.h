#pragma once

#include <cstdint>
#include <optional>

#include "autoscale/conf.h"

namespace batholith {

// Failed scale-ups of one group.
struct GroupBackoff {
  std::int64_t failures = 0;
  std::optional<TimeNs> last_failure;
  TimeNs until = 0;
  bool operator==(const GroupBackoff&) const = default;
};

// How long the group stays out after this many failures in a row (≥ 1).
TimeNs BackoffAfter(std::int64_t failures, const BackoffConf& conf);

GroupBackoff WithFailure(const GroupBackoff& before, const BackoffConf& conf, TimeNs now);

// Without what is forgotten by now.
GroupBackoff Refreshed(const GroupBackoff& before, const BackoffConf& conf, TimeNs now);

inline bool IsBackedOff(const GroupBackoff& backoff, TimeNs now) {
  return backoff.failures > 0 && now < backoff.until;
}

}  // namespace batholith
