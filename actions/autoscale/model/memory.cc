#include "actions/autoscale/model/memory.h"

namespace batholith {

void NoteScaleUpFailed(AutoscaleMemory& memory, const std::string& group, const AutoscaleConf& conf,
                       TimeNs now) {
  GroupMemory& of_group = memory.groups[group];
  of_group.backoff = WithFailure(of_group.backoff, conf.backoff, now);
  of_group.requested_at.reset();
}

void NoteRemovalFailed(AutoscaleMemory& memory, const std::string& node, TimeNs now) {
  memory.removals.erase(node);
  memory.last_removal_failure = now;
}

}  // namespace batholith
