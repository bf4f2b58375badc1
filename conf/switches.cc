#include "conf/switches.h"

#include <algorithm>

namespace batholith {
namespace {

constexpr Switch kSwitches[] = {
    {"enableJobOrder", Point::kJobOrder},
    {"enableNamespaceOrder", Point::kNamespaceOrder},
    {"enableQueueOrder", Point::kQueueOrder},
    {"enableTaskOrder", Point::kTaskOrder},
    {"enabledSubJobOrder", std::nullopt},
    {"enableJobReady", Point::kJobReady},
    {"enableJobPipelined", Point::kJobPipelined},
    {"enableJobStarving", Point::kJobStarving},
    {"enabledSubJobReady", std::nullopt},
    {"enabledSubJobPipelined", std::nullopt},
    {"enablePreemptable", Point::kPreemptable},
    {"enableReclaimable", Point::kReclaimable},
    {"enablePreemptive", Point::kPreemptive},
    {"enablePredicate", Point::kPredicate},
    {"enableNodeOrder", Point::kNodeOrder},
    {"enableJobEnqueued", Point::kJobEnqueued},
    {"enabledVictim", Point::kVictim},
    {"enabledOverused", Point::kOverused},
    {"enabledAllocatable", Point::kAllocatable},
    {"enableHierarchy", Point::kHierarchy},
    {"enableBestNode", std::nullopt},
    {"enableTargetJob", std::nullopt},
    {"enableReservedNodes", std::nullopt},
    {"enabledClusterOrder", std::nullopt},
    {"enabledHyperNodeOrder", Point::kHyperNodeOrder},
    {"enabledHyperNodeGradient", Point::kHyperNodeGradient},
};

// What follows `enable` or `enabled`; empty for any other word.
std::string_view Stem(std::string_view key) {
  constexpr std::string_view kEnable = "enable";
  if (!key.starts_with(kEnable)) return {};
  key.remove_prefix(kEnable.size());
  if (key.starts_with('d')) key.remove_prefix(1);
  return key;
}

}  // namespace

std::span<const Switch> Switches() { return kSwitches; }

const Switch* FindSwitch(std::string_view key) {
  const std::string_view stem = Stem(key);
  if (stem.empty()) return nullptr;
  const Switch* found =
      std::ranges::find(kSwitches, stem, [](const Switch& s) { return Stem(s.name); });
  return found == std::end(kSwitches) ? nullptr : found;
}

}  // namespace batholith
