#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "api/autoscale_report.h"
#include "api/slack_report.h"
#include "cmd/metrics/series.h"

namespace batholith {

// Capacity buffers that have series, those that are served first.
inline constexpr std::size_t kMostBuffersTold = 500;
// Why a size was not written; label `reason` of batholith_scale_up_failed_total.
inline constexpr std::array<std::string_view, 5> kScaleUpFailures = {"forbidden", "conflict",
                                                                     "timeout", "refused", "gone"};

// Nothing of a session without the action. Cost: O(placeholders).
void TellSlack(Series& series, const SlackReport& report);
// The same. What was ordered is counted; a decision that a later session repeats has no orders any
// more. Cost: O(groups + removals).
void TellNodeGroups(Series& series, const AutoscaleReport& report);

}  // namespace batholith
