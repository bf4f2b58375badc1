#include "actions/autoscale/model/memory.h"

namespace batholith {

void RecordScaleUpFailure(AutoscaleMemory& memory, const std::string& group,
                          const AutoscaleConf& conf, TimeNs now) {
  GroupMemory& of_group = memory.groups[group];
  of_group.backoff = WithFailure(of_group.backoff, conf.backoff, now);
  of_group.requested_at.reset();
}

void RecordRemovalFailure(AutoscaleMemory& memory, const std::string& node, TimeNs now) {
  memory.removals.erase(node);
  memory.last_removal_failure = now;
}

}  // namespace batholith
