#include "actions/builtin.h"

#include "actions/allocate/allocate.h"
#include "actions/autoscale/autoscale.h"
#include "actions/backfill/backfill.h"
#include "actions/enqueue/enqueue.h"
#include "actions/preempt/preempt.h"
#include "actions/reclaim/reclaim.h"
#include "actions/revoke/revoke.h"
#include "actions/shuffle/shuffle.h"
#include "actions/slack/slack.h"

namespace batholith {

std::span<const ActionDescriptor> BuiltinActions() {
  static const ActionDescriptor kActions[] = {
      EnqueueAction(), AllocateAction(), BackfillAction(), PreemptAction(),   ReclaimAction(),
      RevokeAction(),  ShuffleAction(),  SlackAction(),    AutoscaleAction(),
  };
  return kActions;
}

}  // namespace batholith
