#include "cmd/wanted_kinds.h"

#include <algorithm>

#include "actions/autoscale/arguments.h"
#include "conf/slack_args.h"

namespace batholith {
namespace {

bool ReadsBuffers(const Arguments& arguments) {
  const Result<SlackArguments> slack = ParseSlackArguments(arguments);
  return slack && slack->capacity_buffers;
}

bool ReadsMachines(const Arguments& arguments) {
  const Result<AutoscaleArguments> autoscale = ParseAutoscaleArguments(arguments);
  if (!autoscale || autoscale->conf.mode == AutoscaleMode::kOff) return false;
  return autoscale->cluster_api ||
         std::ranges::any_of(autoscale->groups, [](const ConfNodeGroup& group) {
           return !group.scale_target.empty();
         });
}

}  // namespace

std::vector<KindUse> WantedKinds(const Pipeline& pipeline) {
  std::vector<KindUse> out;
  for (const Pipeline::ActionEntry& action : pipeline.actions) {
    const std::string_view name = action.descriptor->name;
    if (name == "slack" && ReadsBuffers(action.arguments)) out.push_back(KindUse::kBuffers);
    if (name == "autoscale" && ReadsMachines(action.arguments)) out.push_back(KindUse::kNodeGroups);
  }
  return out;
}

}  // namespace batholith
