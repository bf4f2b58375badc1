#include "actions/builtin.h"

#include <array>

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
  static constexpr std::array<ActionDescriptor, 9> kActions{{
      {"enqueue", &Enqueue},
      {"allocate", &Allocate},
      {"backfill", &Backfill},
      {"preempt", &Preempt},
      {"reclaim", &Reclaim},
      {"revoke", &Revoke},
      {"shuffle", &Shuffle},
      {"slack", &Slack, &CheckSlack},
      {"autoscale", &Autoscale, &CheckAutoscale, &NodeResources},
  }};
  return kActions;
}

}  // namespace batholith
