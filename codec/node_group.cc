#include <algorithm>
#include <boost/json.hpp>
#include <string_view>

#include "api/quantity.h"
#include "codec/kinds.h"
#include "codec/pod.h"

namespace batholith {
namespace {

constexpr std::string_view kCapacity = "capacity.cluster-autoscaler.kubernetes.io/";
constexpr const char* kMinSize = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";
constexpr const char* kMaxSize = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
constexpr const char* kPaused = "cluster.x-k8s.io/paused";
constexpr const char* kDeploymentName = "cluster.x-k8s.io/deployment-name";

// The annotations of one object, read as numbers, quantities and lists.
class GroupAnnotations {
 public:
  explicit GroupAnnotations(const Field& object) : field_(object["metadata"]["annotations"]) {}

  std::string Text(std::string_view key) const { return field_[key].Text(); }
  bool Has(std::string_view key) const { return field_[key].present(); }
  std::int64_t Amount(const std::string& key, std::string_view resource) const {
    const Result<std::int64_t> amount = ParseQuantityCutOff(Text(key), ResourceScale(resource));
    if (amount && *amount >= 0) return *amount;
    Flaw(key, "\"" + Printable(Text(key)) + "\" is not an amount");
    return 0;
  }
  std::int32_t Size(const char* key) const {
    if (!Has(key)) return 0;
    const Result<std::int64_t> size = ParseQuantity(Text(key), 1);
    if (size && *size >= 0 && *size <= INT32_MAX) return static_cast<std::int32_t>(*size);
    Flaw(key, "\"" + Printable(Text(key)) + "\" is not a number of nodes");
    return 0;
  }
  // "k=v,k=v" → pairs, without spaces around them.
  std::vector<std::pair<std::string, std::string>> Pairs(const std::string& key) const {
    std::vector<std::pair<std::string, std::string>> out;
    const std::string text = Text(key);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      const std::string part = text.substr(at, end - at);
      const std::size_t equal = part.find('=');
      if (equal == 0) Flaw(key, "\"" + Printable(part) + "\" has no name");
      out.emplace_back(part.substr(0, equal),
                       equal == std::string::npos ? "" : part.substr(equal + 1));
      at = end + 1;
    }
    return out;
  }
  void Flaw(std::string_view key, const std::string& reason) const { field_[key].Flaw(reason); }

 private:
  Field field_;
};

void SetTaint(std::vector<Taint>& taints, Taint taint) {
  const auto it = std::ranges::find_if(
      taints, [&](const Taint& t) { return t.key == taint.key && t.effect == taint.effect; });
  if (it == taints.end()) {
    taints.push_back(std::move(taint));
  } else {
    *it = std::move(taint);
  }
}

TaintEffect EffectNamed(const GroupAnnotations& annotations, const std::string& key,
                        const std::string& name) {
  for (const Choice<TaintEffect>& choice : kTaintEffects) {
    if (choice.text == name) return choice.value;
  }
  annotations.Flaw(key, "\"" + Printable(name) + "\" is not an effect of a taint");
  return TaintEffect::kNoSchedule;
}

void ReadTaints(const Field& object, const GroupAnnotations& annotations, NodeRecord& node) {
  for (const Field& t : object["spec"]["template"]["spec"]["taints"].Items())
    SetTaint(node.taints, {t["key"].Text(), t["value"].Text(),
                           t["effect"].OneOf(kTaintEffects).value_or(TaintEffect::kNoSchedule)});
  const std::string key = std::string(kCapacity) + "taints";
  for (const auto& [name, rest] : annotations.Pairs(key)) {
    const std::size_t colon = rest.rfind(':');
    if (colon == std::string::npos) {
      annotations.Flaw(key, "\"" + Printable(rest) + "\" has no effect");
      continue;
    }
    SetTaint(node.taints,
             {name, rest.substr(0, colon), EffectNamed(annotations, key, rest.substr(colon + 1))});
  }
}

// What its annotations say of a new node; nothing without cpu and memory.
std::optional<NodeRecord> TemplateOf(const Field& object, const GroupAnnotations& annotations) {
  const std::string prefix(kCapacity);
  if (!annotations.Has(prefix + "cpu") || !annotations.Has(prefix + "memory")) return std::nullopt;
  NodeRecord node;
  node.allocatable["cpu"] = annotations.Amount(prefix + "cpu", "cpu");
  node.allocatable["memory"] = annotations.Amount(prefix + "memory", "memory");
  node.allocatable["pods"] =
      annotations.Has(prefix + "maxPods") ? annotations.Amount(prefix + "maxPods", "pods") : 110;
  if (annotations.Has(prefix + "ephemeral-disk")) {
    node.allocatable["ephemeral-storage"] =
        annotations.Amount(prefix + "ephemeral-disk", "ephemeral-storage");
  }
  if (annotations.Has(prefix + "gpu-count")) {
    const std::string type = annotations.Text(prefix + "gpu-type");
    if (type.empty() && !annotations.Has(prefix + "dra-driver"))
      annotations.Flaw(prefix + "gpu-count", "needs gpu-type beside it");
    if (!type.empty()) node.allocatable[type] = annotations.Amount(prefix + "gpu-count", type);
  }
  node.meta.labels["kubernetes.io/arch"] = "amd64";
  node.meta.labels["kubernetes.io/os"] = "linux";
  for (const auto& [name, value] : object["spec"]["template"]["metadata"]["labels"].TextMap()) {
    // Cluster API hands these on to nodes, others stay with the machine.
    if (name.starts_with("node-role.kubernetes.io/") || name.contains("node.cluster.x-k8s.io") ||
        name.contains("node-restriction.kubernetes.io"))
      node.meta.labels[name] = value;
  }
  for (const auto& [name, value] : annotations.Pairs(prefix + "labels"))
    node.meta.labels[name] = value;
  ReadTaints(object, annotations, node);
  return node;
}

// A Node whose name, which is each node's own, may be missing.
NodeRecord ReadNodeTemplate(const Field& field) {
  if (!field.is_object()) {
    field.Flaw("must be a Node");
    return {};
  }
  boost::json::object node_object = field.Object();
  boost::json::object meta = field["metadata"].Object();
  meta["name"] = "template";
  node_object["metadata"] = std::move(meta);
  const boost::json::value named(std::move(node_object));
  NodeRecord node = ReadNode(Field(&named, field.path(), field.flaws()));
  node.meta.name.clear();
  return node;
}

}  // namespace

NodeGroupRecord ReadMachineDeployment(const Field& object) {
  NodeGroupRecord group;
  group.meta = ReadMeta(object);
  group.kind = "MachineDeployment";
  const GroupAnnotations annotations(object);
  group.min = annotations.Size(kMinSize);
  group.max = annotations.Size(kMaxSize);
  group.replicas = static_cast<std::int32_t>(object["spec"]["replicas"].Clamped(1, 0, INT32_MAX));
  group.paused = annotations.Has(kPaused) || object["spec"]["paused"].Bool(false);
  const Field status = object["status"];
  const Field updated =
      status["updatedReplicas"].present() ? status["updatedReplicas"] : status["upToDateReplicas"];
  group.rolling_out = updated.present() && updated.Int32(0) < status["replicas"].Int32(0);
  group.node_template = TemplateOf(object, annotations);
  if (object.flaw_count() != 0) group.paused = true;  // neither grown nor shrunk
  return group;
}

MachineRecord ReadMachine(const Field& object) {
  MachineRecord machine;
  machine.meta = ReadMeta(object);
  if (const std::string* name = FindValue(machine.meta.labels, kDeploymentName))
    machine.deployment = *name;
  machine.node = object["status"]["nodeRef"]["name"].Text();
  const std::string* mark = FindValue(machine.meta.annotations, kDeleteMachine);
  machine.marked = mark != nullptr && *mark == kMarkedByUs;
  return machine;
}

NodeGroupRecord ReadNodeGroup(const Field& object) {
  NodeGroupRecord group;
  group.meta = ReadMeta(object);
  const Field spec = object["spec"];
  group.kind = spec["kind"].Text("NodeGroup");
  group.min = static_cast<std::int32_t>(spec["min"].Int(0, 0, INT32_MAX));
  group.max = static_cast<std::int32_t>(spec["max"].Int(0, 0, INT32_MAX));
  group.replicas = static_cast<std::int32_t>(spec["size"].Int(group.min, 0, INT32_MAX));
  group.paused = spec["paused"].Bool(false);
  group.rolling_out = spec["rollingOut"].Bool(false);
  group.delay = spec["delaySeconds"].Int(90, 0, INT32_MAX) * 1'000'000'000;
  if (spec["template"].present()) group.node_template = ReadNodeTemplate(spec["template"]);
  if (object.flaw_count() != 0) group.paused = true;
  return group;
}

}  // namespace batholith
