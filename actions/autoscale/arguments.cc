#include "actions/autoscale/arguments.h"

#include <algorithm>
#include <map>
#include <utility>

#include "actions/autoscale/model/expander.h"
#include "api/quantity.h"
#include "api/value_text.h"
#include "conf/autoscale_args.h"

namespace batholith {
namespace {

constexpr std::pair<std::string_view, ExpanderKind> kExpanders[] = {
    {"least-waste", ExpanderKind::kLeastWaste}, {"most-pods", ExpanderKind::kMostPods},
    {"least-nodes", ExpanderKind::kLeastNodes}, {"priority", ExpanderKind::kPriority},
    {"random", ExpanderKind::kRandom},
};

// The leaves below one argument, by path with '/' between keys.
using Leaves = std::map<std::string, std::string>;

Leaves LeavesOf(const PluginArguments& args, std::string_view name) {
  Leaves out;
  for (const auto& [path, text] : args.Nested(name)) {
    std::string key;
    for (const std::string& part : path) key += (key.empty() ? "" : "/") + part;
    out[key] = text;
  }
  return out;
}

// Checked by their specs already.
TimeNs TimeOf(const Leaves& leaves, const char* name, TimeNs otherwise) {
  const auto it = leaves.find(name);
  return it == leaves.end() ? otherwise : ParseGoDuration(it->second)->count();
}

std::int64_t IntOf(const Leaves& leaves, const std::string& name, std::int64_t otherwise) {
  const auto it = leaves.find(name);
  return it == leaves.end() ? otherwise : *ParseInt(it->second);
}

std::string TextOf(const Leaves& leaves, const std::string& name) {
  const auto it = leaves.find(name);
  return it == leaves.end() ? "" : it->second;
}

void ReadScaleDown(const Leaves& leaves, ScaleDownConf& out) {
  if (const auto it = leaves.find("enabled"); it != leaves.end())
    out.enabled = *ParseBool(it->second);
  if (const auto it = leaves.find("utilizationThreshold"); it != leaves.end()) {
    out.utilization_threshold_ppm = static_cast<std::int64_t>(*ParseFloat(it->second) * 1e6 + 0.5);
    out.gpu_utilization_threshold_ppm = out.utilization_threshold_ppm;
  }
  out.unneeded_time = TimeOf(leaves, "unneededTime", out.unneeded_time);
  out.unready_time = TimeOf(leaves, "unreadyTime", out.unready_time);
  out.delay_after_add = TimeOf(leaves, "delayAfterAdd", out.delay_after_add);
  out.delay_after_failure = TimeOf(leaves, "delayAfterFailure", out.delay_after_failure);
  out.max_parallel = IntOf(leaves, "maxParallel", out.max_parallel);
  out.max_drain = IntOf(leaves, "maxDrain", out.max_drain);
}

Result<void> ReadExpanders(const PluginArguments& args, AutoscaleConf& out) {
  out.expanders.clear();
  for (const std::string& name : args.List("expander")) {
    const auto it =
        std::ranges::find(kExpanders, name, &std::pair<std::string_view, ExpanderKind>::first);
    if (it == std::end(kExpanders)) {
      return Invalid("expander: \"" + name +
                     "\" is none of least-waste, most-pods, least-nodes, priority, random");
    }
    out.expanders.push_back(it->second);
  }
  for (const auto& [path, text] : args.Nested("priorities")) {
    const std::optional<std::int64_t> number = ParseInt(path.front());
    if (!number) return Invalid("priorities: \"" + path.front() + "\" is not a number");
    const std::vector<std::string> patterns =
        path.size() > 1 ? std::vector<std::string>{text} : SplitList(text);
    for (const std::string& pattern : patterns) {
      if (!IsPattern(pattern))
        return Invalid("priorities." + path.front() + ": \"" + pattern +
                       "\" is not a regular expression");
      out.priorities[*number].push_back(pattern);
    }
  }
  return {};
}

Result<std::optional<NodeRecord>> ReadTemplate(const Leaves& leaves, const std::string& where) {
  NodeRecord node;
  std::map<std::string, Taint> taints;  // by position
  bool given = false;
  for (const auto& [key, text] : leaves) {
    if (!key.starts_with("template/")) continue;
    given = true;
    const std::string rest = key.substr(9);
    if (rest.starts_with("labels/")) {
      node.meta.labels[rest.substr(7)] = text;
    } else if (rest.starts_with("taints/")) {
      const std::size_t slash = rest.find('/', 7);
      Taint& taint = taints[rest.substr(7, slash - 7)];
      const std::string field = rest.substr(slash + 1);
      if (field == "key") taint.key = text;
      if (field == "value") taint.value = text;
      if (field == "effect" && text == "PreferNoSchedule")
        taint.effect = TaintEffect::kPreferNoSchedule;
      if (field == "effect" && text == "NoExecute") taint.effect = TaintEffect::kNoExecute;
    } else {
      const Result<std::int64_t> amount = ParseQuantity(text, ResourceScale(rest));
      if (!amount || *amount < 0)
        return Invalid(where + ".template." + rest + ": \"" + text + "\" is not an amount");
      node.allocatable[rest] = *amount;
    }
  }
  if (!given) return std::optional<NodeRecord>();
  node.allocatable.try_emplace("pods", 110);
  for (auto& [position, taint] : taints) node.taints.push_back(std::move(taint));
  return std::optional(std::move(node));
}

Result<ConfNodeGroup> ReadGroup(const Leaves& leaves, const std::string& where) {
  ConfNodeGroup group;
  group.name = TextOf(leaves, "name");
  if (group.name.empty()) return Invalid(where + ".name is missing");
  const std::string named = where + " (" + group.name + ")";
  for (const auto& [key, text] : leaves) {
    if (key.starts_with("selector/")) group.selector[key.substr(9)] = text;
  }
  group.min = static_cast<std::int32_t>(IntOf(leaves, "min", 0));
  group.max = static_cast<std::int32_t>(IntOf(leaves, "max", 0));
  if (group.max < group.min) return Invalid(named + ": max is below min");
  if (const std::string target = TextOf(leaves, "scaleTarget/name"); !target.empty()) {
    const std::string ns = TextOf(leaves, "scaleTarget/namespace");
    group.scale_target =
        "MachineDeployment/" + (ns.empty() ? std::string("default") : ns) + "/" + target;
  }
  if (group.selector.empty() && group.scale_target.empty())
    return Invalid(named + ": needs a selector of its nodes or a scaleTarget");
  Result<std::optional<NodeRecord>> node = ReadTemplate(leaves, named);
  if (!node) return std::unexpected(node.error());
  group.node_template = *std::move(node);
  return group;
}

Result<void> ReadGroups(const PluginArguments& args, AutoscaleArguments& out) {
  std::map<std::string, Leaves> by_position;
  for (const auto& [key, text] : LeavesOf(args, "nodeGroups")) {
    const std::size_t slash = key.find('/');
    by_position[key.substr(0, slash)][key.substr(slash + 1)] = text;
  }
  for (const auto& [position, leaves] : by_position) {
    const std::string where = "nodeGroups[" + std::to_string(out.groups.size()) + "]";
    Result<ConfNodeGroup> group = ReadGroup(leaves, where);
    if (!group) return std::unexpected(group.error());
    for (const ConfNodeGroup& other : out.groups) {
      if (other.name == group->name) return Invalid(where + ": " + other.name + " appears twice");
    }
    out.groups.push_back(*std::move(group));
  }
  return {};
}

// "a=b,c=d".
Result<Labels> ReadSelector(const std::string& text) {
  Labels out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t equal = part.find('=');
    if (equal == 0 || equal == std::string::npos)
      return Invalid("clusterAPI.selector: \"" + part + "\" is not a label: write name=value,…");
    out[part.substr(0, equal)] = part.substr(equal + 1);
    at = end + 1;
  }
  return out;
}

}  // namespace

Result<AutoscaleArguments> ParseAutoscaleArguments(const Arguments& arguments) {
  const PluginArguments args(arguments, AutoscaleArgSpecs());
  AutoscaleArguments out;
  const std::string mode = args.String("mode");
  out.conf.mode = mode == "off"     ? AutoscaleMode::kOff
                  : mode == "apply" ? AutoscaleMode::kApply
                                    : AutoscaleMode::kRecommend;
  out.conf.interval = args.Duration("interval")->count();
  if (const auto ok = ReadExpanders(args, out.conf); !ok) return std::unexpected(ok.error());
  out.conf.random_seed = static_cast<std::uint64_t>(args.Int("seed"));
  ReadScaleDown(LeavesOf(args, "scaleDown"), out.conf.scale_down);
  const Leaves backoff = LeavesOf(args, "backoff");
  out.conf.backoff.initial = TimeOf(backoff, "initial", out.conf.backoff.initial);
  out.conf.backoff.max = TimeOf(backoff, "max", out.conf.backoff.max);
  out.conf.backoff.reset = TimeOf(backoff, "reset", out.conf.backoff.reset);
  out.conf.max_nodes_total = args.Int("maxNodesTotal");
  out.conf.balance_similar_groups = args.Bool("balanceSimilarGroups");
  out.conf.enforce_min_size = args.Bool("enforceMinSize");
  const Leaves cluster_api = LeavesOf(args, "clusterAPI");
  if (const auto it = cluster_api.find("enabled"); it != cluster_api.end())
    out.cluster_api = *ParseBool(it->second);
  out.cluster_api_namespace = TextOf(cluster_api, "namespace");
  out.cluster_name = TextOf(cluster_api, "clusterName");
  Result<Labels> selector = ReadSelector(TextOf(cluster_api, "selector"));
  if (!selector) return std::unexpected(selector.error());
  out.cluster_api_selector = *std::move(selector);
  if (const auto ok = ReadGroups(args, out); !ok) return std::unexpected(ok.error());
  return out;
}

}  // namespace batholith
