#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "actions/autoscale/model/backoff.h"

namespace batholith {

// A size that could not be written: the group stays out for a while. The nodes that were asked for
// are not expected. Call it between decisions.
void RecordScaleUpFailure(AutoscaleMemory& memory, const std::string& group,
                          const AutoscaleConf& conf, TimeNs now);
// A node that could not be taken out: nodes stay for delay_after_failure.
void RecordRemovalFailure(AutoscaleMemory& memory, const std::string& node, TimeNs now);

}  // namespace batholith
