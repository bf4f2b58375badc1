#include "cache/placement_needs.h"

#include <algorithm>

namespace batholith {
namespace {

// Where the nodes say which cards they have, or have both memory and cards, a pod is given a card
// by name. Elsewhere such a resource is one like any other, and is counted.
bool SharesCards(const NodeRecord& node) {
  return node.meta.annotations.contains("volcano.sh/node-vgpu-register") ||
         (node.allocatable.contains("volcano.sh/gpu-memory") &&
          node.allocatable.contains("volcano.sh/gpu-number"));
}

class Holder {
 public:
  Holder(const SnapshotOptions& options, Snapshot& snapshot)
      : ignored_(options.ignored), holds_claims_(options.hold_device_claims), snapshot_(snapshot) {}

  void Hold(TaskFacts& task) {
    AddUnmet(task.record->needs, task, !holds_claims_ && !task.record->device_claims.empty());
    if (!task.job.is_none()) AddUnmet(snapshot_.job(task.job).record->needs, task, false);
    if (task.unmet != PlacementNeedSet()) task.gated = true;
  }

 private:
  void AddUnmet(const Shared<PlacementNeeds>& needs, TaskFacts& task, bool gives_devices) {
    if (needs.empty()) return;
    for (const auto& [need, what] : needs) {
      const bool counted = need == PlacementNeed::kSharedGpus && !AnyNodeSharesCards();
      const bool given = need == PlacementNeed::kDeviceClaims && gives_devices;
      if (!ignored_.Has(need) && !counted && !given) task.unmet.Add(need);
    }
  }

  bool AnyNodeSharesCards() {
    if (!looked_)
      share_cards_ = std::ranges::any_of(
          snapshot_.nodes, [](const NodeFacts& node) { return SharesCards(*node.record); });
    looked_ = true;
    return share_cards_;
  }

  const PlacementNeedSet ignored_;
  const bool holds_claims_;
  Snapshot& snapshot_;
  bool looked_ = false;  // at the nodes
  bool share_cards_ = false;
};

}  // namespace

void HoldWhatIsUnmet(const SnapshotOptions& options, Snapshot& snapshot) {
  Holder holder(options, snapshot);
  for (TaskFacts& task : snapshot.tasks) {
    if (task.status == TaskStatus::kPending && !task.foreign) holder.Hold(task);
  }
}

}  // namespace batholith
