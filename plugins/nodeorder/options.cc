#include "plugins/nodeorder/options.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kArguments[] = {
    WeightArgument("leastrequested.weight", "1", "prefers nodes with much idle"),
    WeightArgument("mostrequested.weight", "0", "prefers nodes with little idle"),
    WeightArgument("nodeaffinity.weight", "2", "preferred node affinity"),
    WeightArgument("podaffinity.weight", "2", "preferred pod affinity and anti-affinity"),
    WeightArgument("balancedresource.weight", "1", "prefers nodes whose resources are used evenly"),
    WeightArgument("tainttoleration.weight", "3", "avoids PreferNoSchedule taints"),
    WeightArgument("imagelocality.weight", "1", "prefers nodes that have the images"),
    WeightArgument("podtopologyspread.weight", "2", "topology spread with ScheduleAnyway"),
};

constexpr RetiredArgument kRetired[] = {
    {"selectorspread.weight", "topology spread took its place (podtopologyspread.weight)"},
};

}  // namespace

std::span<const ArgumentSpec> NodeorderArguments() { return kArguments; }
std::span<const RetiredArgument> NodeorderRetired() { return kRetired; }

NodeorderOptions ReadNodeorderOptions(const Arguments& arguments) {
  return {.least = arguments.Int("leastrequested.weight"),
          .most = arguments.Int("mostrequested.weight"),
          .node_affinity = arguments.Int("nodeaffinity.weight"),
          .pod_affinity = arguments.Int("podaffinity.weight"),
          .balanced = arguments.Int("balancedresource.weight"),
          .taints = arguments.Int("tainttoleration.weight"),
          .images = arguments.Int("imagelocality.weight"),
          .spread = arguments.Int("podtopologyspread.weight")};
}

}  // namespace batholith
