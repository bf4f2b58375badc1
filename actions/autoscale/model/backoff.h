#pragma once

#include <cstdint>

#include "actions/autoscale/model/conf.h"
#include "api/autoscale_report.h"

namespace batholith {

// How long the group stays out after this many failures in a row (≥ 1).
TimeNs BackoffAfter(std::int64_t failures, const BackoffConf& conf);

GroupBackoff WithFailure(const GroupBackoff& before, const BackoffConf& conf, TimeNs now);

// Without what is forgotten by now.
GroupBackoff Refreshed(const GroupBackoff& before, const BackoffConf& conf, TimeNs now);

}  // namespace batholith
