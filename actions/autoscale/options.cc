#include "actions/autoscale/options.h"

#include <string_view>
#include <utility>

#include "actions/autoscale/model/expander.h"
#include "api/quantity.h"
#include "api/value_text.h"

namespace batholith {

template <>
struct Vocabulary<AutoscaleMode> {
  static constexpr std::pair<std::string_view, AutoscaleMode> kWords[] = {
      {"off", AutoscaleMode::kOff},
      {"recommend", AutoscaleMode::kRecommend},
      {"apply", AutoscaleMode::kApply}};
};

template <>
struct Vocabulary<ExpanderKind> {
  static constexpr std::pair<std::string_view, ExpanderKind> kWords[] = {
      {"least-waste", ExpanderKind::kLeastWaste},
      {"most-pods", ExpanderKind::kMostPods},
      {"least-nodes", ExpanderKind::kLeastNodes},
      {"priority", ExpanderKind::kPriority},
      {"random", ExpanderKind::kRandom}};
};

namespace {

using Type = ArgumentSpec::Type;

constexpr double kDay = 86'400;

constexpr ArgumentSpec Time(std::string_view name, std::string_view default_text,
                            std::string_view summary) {
  return {.name = name,
          .type = Type::kDuration,
          .default_text = default_text,
          .min = 0,
          .max = kDay,
          .summary = summary};
}

constexpr ArgumentSpec Count(std::string_view name, std::string_view default_text, double min,
                             std::string_view summary) {
  return {.name = name,
          .type = Type::kInt,
          .default_text = default_text,
          .min = min,
          .max = 1e6,
          .summary = summary};
}

constexpr ArgumentSpec kScaleDown[] = {
    BoolArgument("enabled", "true", "nodes may go"),
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

constexpr ArgumentSpec kBackoff[] = {
    Time("initial", "5m", "how long a group stays out after a failure"),
    Time("max", "30m", "at most"),
    Time("reset", "3h", "without a failure for so long, all are forgotten"),
};

constexpr ArgumentSpec kClusterApi[] = {
    BoolArgument("enabled", "false", "MachineDeployments are groups"),
    {.name = "namespace", .type = Type::kString, .summary = "only those of this namespace"},
    {.name = "clusterName", .type = Type::kString, .summary = "only those of this cluster"},
    {.name = "selector", .type = Type::kString, .summary = "only those with labels a=b,c=d"},
};

constexpr ArgumentSpec kLabels[] = {
    {.name = "*", .type = Type::kString, .summary = "value of this label"},
};

constexpr std::string_view kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};

constexpr ArgumentSpec kTaint[] = {
    {.name = "key", .type = Type::kString, .summary = "its key"},
    {.name = "value", .type = Type::kString, .summary = "its value"},
    {.name = "effect",
     .type = Type::kString,
     .default_text = "NoSchedule",
     .summary = "its effect",
     .choices = kEffects},
};
constexpr ArgumentSpec kTaints[] = {
    {.name = "*", .type = Type::kMap, .summary = "one taint", .fields = kTaint},
};

constexpr ArgumentSpec kTemplate[] = {
    {.name = "labels", .type = Type::kMap, .summary = "labels of a new node", .fields = kLabels},
    {.name = "taints", .type = Type::kMap, .summary = "taints of a new node", .fields = kTaints},
    {.name = "*", .type = Type::kString, .summary = "allocatable of a new node, by resource"},
};

constexpr std::string_view kScaleKinds[] = {"MachineDeployment"};

constexpr ArgumentSpec kScaleTarget[] = {
    {.name = "group", .type = Type::kString, .summary = "API group of the object to scale"},
    {.name = "kind",
     .type = Type::kString,
     .summary = "kind of the object to scale",
     .choices = kScaleKinds},
    {.name = "namespace",
     .type = Type::kString,
     .summary = "namespace of the object; default where it is not given"},
    {.name = "name", .type = Type::kString, .summary = "name of the object"},
};

constexpr ArgumentSpec kGroup[] = {
    {.name = "name", .type = Type::kString, .summary = "its name"},
    {.name = "selector", .type = Type::kMap, .summary = "labels of its nodes", .fields = kLabels},
    Count("min", "0", 0, "nodes at least"),
    Count("max", "0", 0, "nodes at most"),
    {.name = "template",
     .type = Type::kMap,
     .summary = "what a new node is like",
     .fields = kTemplate},
    {.name = "scaleTarget",
     .type = Type::kMap,
     .summary = "the object that is scaled for it",
     .fields = kScaleTarget},
};
constexpr ArgumentSpec kNodeGroups[] = {
    {.name = "*", .type = Type::kMap, .summary = "one group", .fields = kGroup},
};

constexpr ArgumentSpec kPriorities[] = {
    {.name = "*",
     .type = Type::kStringList,
     .summary = "patterns of group names; the highest number goes first"},
};

constexpr ArgumentSpec kArguments[] = {
    {.name = "mode",
     .type = Type::kString,
     .default_text = "recommend",
     .summary = "say what groups need, or set it",
     .choices = kWordsOf<AutoscaleMode>},
    Time("interval", "10s", "time between two decisions"),
    {.name = "expander",
     .type = Type::kStringList,
     .default_text = "least-waste",
     .summary = "least-waste, most-pods, least-nodes, priority, random: in turn until one group "
                "is left"},
    {.name = "priorities",
     .type = Type::kMap,
     .summary = "for the expander priority",
     .fields = kPriorities},
    Count("seed", "1", 0, "what the expander random draws from"),
    {.name = "scaleDown", .type = Type::kMap, .summary = "when nodes go", .fields = kScaleDown},
    {.name = "backoff", .type = Type::kMap, .summary = "after failures", .fields = kBackoff},
    Count("maxNodesTotal", "0", 0, "nodes of the cluster; 0: any number"),
    BoolArgument("balanceSimilarGroups", "false", "similar groups grow together"),
    BoolArgument("enforceMinSize", "false", "groups below their min grow without demand"),
    {.name = "clusterAPI",
     .type = Type::kMap,
     .summary = "node groups of Cluster API",
     .fields = kClusterApi},
    {.name = "nodeGroups", .type = Type::kMap, .summary = "groups", .fields = kNodeGroups},
};

TimeNs TimeOf(const Arguments& arguments, std::string_view name) {
  return arguments.Duration(name)->count();  // each has a default
}

ScaleDownConf ReadScaleDown(const Arguments& arguments) {
  ScaleDownConf out;
  out.enabled = arguments.Bool("enabled");
  out.utilization_threshold_ppm =
      static_cast<std::int64_t>(arguments.Float("utilizationThreshold") * 1e6 + 0.5);
  out.gpu_utilization_threshold_ppm = out.utilization_threshold_ppm;
  out.unneeded_time = TimeOf(arguments, "unneededTime");
  out.unready_time = TimeOf(arguments, "unreadyTime");
  out.delay_after_add = TimeOf(arguments, "delayAfterAdd");
  out.delay_after_failure = TimeOf(arguments, "delayAfterFailure");
  out.max_parallel = arguments.Int("maxParallel");
  out.max_drain = arguments.Int("maxDrain");
  return out;
}

OptionResult<void> ReadExpanders(const Arguments& arguments, AutoscaleConf& out) {
  out.expanders.clear();
  for (const std::string& name : arguments.List("expander")) {
    const std::optional<ExpanderKind> kind = FromWord<ExpanderKind>(name);
    if (!kind) {
      return arguments.Fail(
          "expander", "expander: \"" + name +
                          "\" is none of least-waste, most-pods, least-nodes, priority, random");
    }
    out.expanders.push_back(*kind);
  }
  const Arguments priorities = arguments.Map("priorities");
  for (const std::string& key : priorities.Keys()) {
    const std::optional<std::int64_t> number = ParseInt(key);
    if (!number) return priorities.Fail(key, "priorities: \"" + key + "\" is not a number");
    for (const std::string& text : priorities.Items(key)) {
      std::optional<Pattern> pattern = Pattern::Of(text);
      if (!pattern)
        return priorities.Fail(
            key, "priorities." + key + ": \"" + text + "\" is not a regular expression");
      out.priorities[*number].push_back(*std::move(pattern));
    }
  }
  return {};
}

Labels ReadLabels(const Arguments& arguments) {
  Labels out;
  for (const std::string& key : arguments.Keys()) out[key] = arguments.Text(key);
  return out;
}

std::vector<Taint> ReadTaints(const Arguments& arguments) {
  std::vector<Taint> out;
  for (const std::string& position : arguments.Keys()) {
    const Arguments given = arguments.Map(position);
    Taint taint;
    taint.key = given.Text("key");
    taint.value = given.Text("value");
    const std::string effect = given.Text("effect");
    if (effect == "PreferNoSchedule") taint.effect = TaintEffect::kPreferNoSchedule;
    if (effect == "NoExecute") taint.effect = TaintEffect::kNoExecute;
    out.push_back(std::move(taint));
  }
  return out;
}

OptionResult<NodeRecord> ReadTemplate(const Arguments& arguments, const std::string& where) {
  NodeRecord node;
  node.meta.labels = ReadLabels(arguments.Map("labels"));
  node.taints = ReadTaints(arguments.Map("taints"));
  for (const std::string& resource : arguments.Keys()) {
    if (resource == "labels" || resource == "taints") continue;
    const std::string text = arguments.Text(resource);
    const Result<std::int64_t> amount = ParseQuantity(text, ResourceScale(resource));
    if (!amount || *amount < 0)
      return arguments.Fail(
          resource, where + ".template." + resource + ": \"" + text + "\" is not an amount");
    node.allocatable[resource] = *amount;
  }
  node.allocatable.try_emplace("pods", 110);
  return node;
}

// Name of the NodeGroupRecord that is scaled for it.
std::string ReadScaleTarget(const Arguments& arguments) {
  const std::string name = arguments.Text("name");
  if (name.empty()) return {};
  const std::string namespace_ = arguments.Text("namespace");
  return "MachineDeployment/" + (namespace_.empty() ? std::string("default") : namespace_) + "/" +
         name;
}

OptionResult<ConfNodeGroup> ReadGroup(const Arguments& arguments, const std::string& where) {
  ConfNodeGroup group;
  group.name = arguments.Text("name");
  if (group.name.empty()) return arguments.Fail("name", where + ".name is missing");
  const std::string named = where + " (" + group.name + ")";
  group.selector = ReadLabels(arguments.Map("selector"));
  group.min = static_cast<std::int32_t>(arguments.Int("min"));
  group.max = static_cast<std::int32_t>(arguments.Int("max"));
  if (group.max < group.min) return arguments.Fail("max", named + ": max is below min");
  group.scale_target = ReadScaleTarget(arguments.Map("scaleTarget"));
  if (group.selector.empty() && group.scale_target.empty())
    return arguments.Fail("selector", named + ": needs a selector of its nodes or a scaleTarget");
  if (!arguments.Has("template")) return group;
  OptionResult<NodeRecord> node = ReadTemplate(arguments.Map("template"), named);
  if (!node) return std::unexpected(node.error());
  group.node_template = *std::move(node);
  return group;
}

OptionResult<void> ReadGroups(const Arguments& arguments, AutoscaleOptions& out) {
  for (const std::string& position : arguments.Keys()) {
    const std::string where = "nodeGroups[" + std::to_string(out.groups.size()) + "]";
    OptionResult<ConfNodeGroup> group = ReadGroup(arguments.Map(position), where);
    if (!group) return std::unexpected(group.error());
    for (const ConfNodeGroup& other : out.groups) {
      if (other.name == group->name)
        return arguments.Fail(position, where + ": " + other.name + " appears twice");
    }
    out.groups.push_back(*std::move(group));
  }
  return {};
}

// "a=b,c=d".
OptionResult<Labels> ReadSelector(const Arguments& arguments) {
  const std::string text = arguments.Text("selector");
  Labels out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t equal = part.find('=');
    if (equal == 0 || equal == std::string::npos)
      return arguments.Fail(
          "selector", "clusterAPI.selector: \"" + part + "\" is not a label: write name=value,…");
    out[part.substr(0, equal)] = part.substr(equal + 1);
    at = end + 1;
  }
  return out;
}

OptionResult<void> ReadClusterApi(const Arguments& arguments, AutoscaleOptions& out) {
  out.cluster_api = arguments.Bool("enabled");
  out.cluster_api_namespace = arguments.Text("namespace");
  out.cluster_name = arguments.Text("clusterName");
  OptionResult<Labels> selector = ReadSelector(arguments);
  if (!selector) return std::unexpected(selector.error());
  out.cluster_api_selector = *std::move(selector);
  return {};
}

}  // namespace

std::span<const ArgumentSpec> AutoscaleArguments() { return kArguments; }

OptionResult<AutoscaleOptions> ReadAutoscaleOptions(const Arguments& arguments) {
  AutoscaleOptions out;
  AutoscaleConf& conf = out.conf;
  conf.mode = arguments.Choice<AutoscaleMode>("mode");
  conf.interval = TimeOf(arguments, "interval");
  if (const auto ok = ReadExpanders(arguments, conf); !ok) return std::unexpected(ok.error());
  conf.random_seed = static_cast<std::uint64_t>(arguments.Int("seed"));
  conf.scale_down = ReadScaleDown(arguments.Map("scaleDown"));
  const Arguments backoff = arguments.Map("backoff");
  conf.backoff = {.initial = TimeOf(backoff, "initial"),
                  .max = TimeOf(backoff, "max"),
                  .reset = TimeOf(backoff, "reset")};
  conf.max_nodes_total = arguments.Int("maxNodesTotal");
  conf.balance_similar_groups = arguments.Bool("balanceSimilarGroups");
  conf.enforce_min_size = arguments.Bool("enforceMinSize");
  if (const auto ok = ReadClusterApi(arguments.Map("clusterAPI"), out); !ok)
    return std::unexpected(ok.error());
  if (const auto ok = ReadGroups(arguments.Map("nodeGroups"), out); !ok)
    return std::unexpected(ok.error());
  return out;
}

}  // namespace batholith
