#include "actions/common/node_state.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

// Set by the cluster autoscaler and by us on a node that is about to go.
constexpr std::string_view kGoingTaints[] = {"ToBeDeletedByClusterAutoscaler",
                                             "slack.batholith.dev/to-be-deleted"};
constexpr std::string_view kControlPlane[] = {"node-role.kubernetes.io/control-plane",
                                              "node-role.kubernetes.io/master"};

}  // namespace

bool TakesSlack(const NodeFacts& node) {
  const NodeRecord& record = *node.record;
  if (!node.usable || IsGoing(record)) return false;
  for (const std::string_view role : kControlPlane) {
    if (record.meta.labels.contains(role)) return false;
  }
  return std::ranges::none_of(record.taints, [](const Taint& taint) {
    return taint.effect != TaintEffect::kPreferNoSchedule;
  });
}

bool IsGoing(const NodeRecord& node) {
  return node.meta.deleting || std::ranges::any_of(node.taints, [](const Taint& taint) {
           return std::ranges::find(kGoingTaints, taint.key) != std::end(kGoingTaints);
         });
}

}  // namespace batholith
