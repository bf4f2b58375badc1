#include "conf/autoscale_args.h"

namespace batholith {
namespace {

using Type = ArgSpec::Type;

constexpr double kDay = 86'400;

constexpr ArgSpec Time(std::string_view name, std::string_view default_text,
                       std::string_view summary) {
  return {.name = name,
          .type = Type::kDuration,
          .default_text = default_text,
          .min = 0,
          .max = kDay,
          .summary = summary};
}

constexpr ArgSpec Count(std::string_view name, std::string_view default_text, double min,
                        std::string_view summary) {
  return {.name = name,
          .type = Type::kInt,
          .default_text = default_text,
          .min = min,
          .max = 1e6,
          .summary = summary};
}

constexpr ArgSpec kScaleDown[] = {
    BoolArg("enabled", "true", "nodes may go"),
    {.name = "utilizationThreshold",
     .type = Type::kFloat,
     .default_text = "0.5",
     .min = 0,
     .max = 1,
     .summary = "a node that is used more stays"},
    Time("unneededTime", "10m", "how long nobody needs a node before it goes"),
    Time("unreadyTime", "20m", "the same of a node that is not ready"),
    Time("delayAfterAdd", "10m", "after a group grew, or the start"),
    Time("delayAfterFailure", "3m", "after a node could not be taken out"),
    Count("maxParallel", "10", 1, "nodes that go at a time"),
    Count("maxDrain", "1", 0, "of them, nodes with pods"),
};

constexpr ArgSpec kBackoff[] = {
    Time("initial", "5m", "how long a group stays out after a failure"),
    Time("max", "30m", "at most"),
    Time("reset", "3h", "without a failure for so long, all are forgotten"),
};

constexpr ArgSpec kClusterApi[] = {
    BoolArg("enabled", "false", "MachineDeployments are groups"),
    {.name = "namespace", .type = Type::kString, .summary = "only those of this namespace"},
    {.name = "clusterName", .type = Type::kString, .summary = "only those of this cluster"},
    {.name = "selector", .type = Type::kString, .summary = "only those with labels a=b,c=d"},
};

constexpr ArgSpec kNodeGroups[] = {
    {.name = "*/name", .type = Type::kString, .summary = "its name"},
    {.name = "*/selector/*", .type = Type::kString, .summary = "labels of its nodes"},
    Count("*/min", "0", 0, "nodes at least"),
    Count("*/max", "0", 0, "nodes at most"),
    {.name = "*/template/labels/*", .type = Type::kString, .summary = "labels of a new node"},
    {.name = "*/template/taints/*/key", .type = Type::kString, .summary = "taints of a new node"},
    {.name = "*/template/taints/*/value", .type = Type::kString, .summary = "their values"},
    {.name = "*/template/taints/*/effect",
     .type = Type::kString,
     .summary = "their effects",
     .choices = "NoSchedule,PreferNoSchedule,NoExecute"},
    {.name = "*/template/*", .type = Type::kString, .summary = "allocatable of a new node"},
    {.name = "*/scaleTarget/group", .type = Type::kString, .summary = "of the object to scale"},
    {.name = "*/scaleTarget/kind",
     .type = Type::kString,
     .summary = "of the object to scale",
     .choices = "MachineDeployment"},
    {.name = "*/scaleTarget/namespace", .type = Type::kString, .summary = "of the object"},
    {.name = "*/scaleTarget/name", .type = Type::kString, .summary = "of the object"},
};

constexpr ArgSpec kPriorities[] = {
    {.name = "*", .type = Type::kStringList, .summary = "patterns of group names, by priority"},
    {.name = "*/*", .type = Type::kString, .summary = "patterns of group names, by priority"},
};

constexpr ArgSpec kAutoscale[] = {
    {.name = "mode",
     .type = Type::kString,
     .default_text = "recommend",
     .summary = "say what groups need, or set it",
     .choices = "off,recommend,apply"},
    Time("interval", "10s", "time between two decisions"),
    {.name = "expander",
     .type = Type::kStringList,
     .default_text = "least-waste",
     .summary = "least-waste, most-pods, least-nodes, priority, random: in turn until one group "
                "is left"},
    {.name = "priorities",
     .type = Type::kMap,
     .summary = "of expander priority",
     .fields = kPriorities},
    Count("seed", "1", 0, "of expander random"),
    {.name = "scaleDown", .type = Type::kMap, .summary = "when nodes go", .fields = kScaleDown},
    {.name = "backoff", .type = Type::kMap, .summary = "after failures", .fields = kBackoff},
    Count("maxNodesTotal", "0", 0, "nodes of the cluster; 0: any number"),
    BoolArg("balanceSimilarGroups", "false", "similar groups grow together"),
    BoolArg("enforceMinSize", "false", "groups below their min grow without demand"),
    {.name = "clusterAPI",
     .type = Type::kMap,
     .summary = "node groups of Cluster API",
     .fields = kClusterApi},
    {.name = "nodeGroups", .type = Type::kMap, .summary = "groups", .fields = kNodeGroups},
};

}  // namespace

std::span<const ArgSpec> AutoscaleArgSpecs() { return kAutoscale; }

}  // namespace batholith
