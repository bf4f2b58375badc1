#include "codec/decode.h"

#include <algorithm>
#include <array>

#include "codec/kinds.h"
#include "codec/made_groups.h"
#include "codec/queue_tree.h"

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

// Groups of which a kind that nobody reads is no mistake.
bool IsKnownGroup(const std::string& group) {
  static constexpr std::array kBuiltIn{"", "apps", "batch", "autoscaling", "policy", "extensions"};
  static constexpr std::array kKnown{"volcano.sh",
                                     "batholith.dev",
                                     "nos.nebuly.com",
                                     "nebuly.ai",
                                     "koordinator.sh",
                                     "scheduling.x-k8s.io",
                                     "scheduling.sigs.k8s.io",
                                     "scheduling.incubator.k8s.io",
                                     "scheduling.sigs.dev",
                                     "kubeflow.org",
                                     "autoscaling.x-k8s.io"};
  if (std::ranges::find(kBuiltIn, group) != kBuiltIn.end() || group.ends_with(".k8s.io"))
    return true;
  return std::ranges::any_of(kKnown, [&](const std::string& known) {
    return group == known || group.ends_with("." + known);
  });
}

bool IsVolcanoScheduling(const std::string& group) {
  return group == "scheduling.volcano.sh" || group == "scheduling.incubator.k8s.io" ||
         group == "scheduling.sigs.dev";
}

bool IsElasticQuota(const std::string& group, const std::string& kind) {
  const bool nos = group == kNosGroup || group == kOldNosGroup;
  if (kind == "CompositeElasticQuota") return nos;
  return kind == "ElasticQuota" && (nos || group == kSchedulerPluginsGroup || group == kSigsGroup);
}

std::string TextAt(const boost::json::object& object, const char* name) {
  const boost::json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return std::string(value->get_string());
}

}  // namespace

struct ManifestDecoder::ListItem {
  std::string kind;
  std::string version;
};

void ManifestDecoder::Add(const boost::json::value& document, const std::string& where) {
  AddValue(document, where, {});
}

void ManifestDecoder::AddValue(const boost::json::value& value, const std::string& where,
                               const ListItem& outer) {
  if (value.is_null()) return;
  const boost::json::object* object = value.if_object();
  if (object == nullptr) {
    loaded_.refused.push_back(where + ": must be an object");
    return;
  }
  const std::string kind = TextAt(*object, "kind");
  const boost::json::value* items = object->if_contains("items");
  if (kind != "List" && (items == nullptr || !kind.ends_with("List")))
    return AddOne(value, where, outer);
  if (items == nullptr || items->is_null()) return;  // an empty list
  if (!items->is_array()) {
    loaded_.refused.push_back(where + ": " + Printable(kind) + ": items: must be a list");
    return;
  }
  // An API server leaves out kind and version in the items of a NodeList.
  ListItem inner;
  if (kind != "List") inner = {kind.substr(0, kind.size() - 4), TextAt(*object, "apiVersion")};
  std::size_t i = 0;
  for (const boost::json::value& item : items->get_array())
    AddValue(item, where + ": item " + std::to_string(++i), inner);
}

void ManifestDecoder::AddOne(const boost::json::value& value, const std::string& where,
                             const ListItem& outer) {
  const Field object(&value, "");
  std::string name = "object";
  ++loaded_.places;
  try {
    const std::string kind = object["kind"].Text(outer.kind);
    if (kind.empty()) object["kind"].Fail("is missing");
    name = Printable(kind);
    const std::string version = object["apiVersion"].Text(outer.version);
    const std::string own = ReadName(object);
    const std::string ns = object["metadata"]["namespace"].Text();
    name += " " + Printable(ns.empty() ? own : ns + "/" + own);
    if (version.empty()) object["apiVersion"].Fail("is missing");
    const std::size_t slash = version.find('/');
    const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
    AddKnown(object, group, kind, where);
  } catch (const FieldError& e) {
    loaded_.refused.push_back(where + ": " + name + ": " + e.what());
  }
}

void ManifestDecoder::AddKnown(const Field& object, const std::string& group,
                               const std::string& kind, const std::string& where) {
  ClusterObjects& o = loaded_.objects;
  const auto add = [&](auto record, auto& list, bool namespaced) {
    Complete(record.meta, kind, namespaced, where);
    list.push_back(std::move(record));
  };
  if (group.empty() && kind == "Pod") return AddPod(object, where);
  if (group.empty() && kind == "Node") return add(ReadNode(object), o.nodes, false);
  if (group.empty() && kind == "Namespace")
    return add(NamespaceRecord{ReadMeta(object)}, o.namespaces, false);
  if (group.empty() && kind == "ResourceQuota")
    return add(ReadResourceQuota(object), o.resource_quotas, true);
  if (group == "scheduling.k8s.io" && kind == "PriorityClass")
    return add(ReadPriorityClass(object), o.priority_classes, false);
  if (group == "policy" && kind == "PodDisruptionBudget")
    return add(ReadDisruptionBudget(object), o.disruption_budgets, true);
  if (IsVolcanoScheduling(group) && kind == "Queue") return add(ReadQueue(object), o.queues, false);
  if (IsVolcanoScheduling(group) && kind == "PodGroup")
    return add(ReadPodGroup(object), o.pod_groups, true);
  if (IsElasticQuota(group, kind)) {
    ElasticQuotaRecord quota = ReadElasticQuota(object, group, loaded_.warnings);
    // Quotas of one name in several groups are different objects.
    Complete(quota.meta, kind + "." + group, true, where);
    o.elastic_quotas.push_back(std::move(quota));
    return;
  }
  if (group == kQuotaProfileGroup && kind == "ElasticQuotaProfile")
    return add(ReadElasticQuotaProfile(object), o.quota_profiles, true);
  if (kind == "Job" && (group == "batch.volcano.sh" || group == "batch")) {
    // Its pods may stand later in the input.
    JobManifest job{*object.value(), where, group == "batch.volcano.sh", ReadMeta(object)};
    Complete(job.meta, kind + "." + group, true, where);
    jobs_.push_back(std::move(job));
    return;
  }
  if (!IsKnownGroup(group)) {
    object["kind"].Fail("kind " + Printable(kind) + " of group " + Printable(group) +
                        " is not known");
  }
}

void ManifestDecoder::AddPod(const Field& object, const std::string& where) {
  PodRecord pod = ReadPod(object, constraints_);
  Complete(pod.meta, "Pod", true, where);
  if (object["spec"]["preemptionPolicy"].present()) own_policy_.insert(pod.meta.Key());
  loaded_.objects.pods.push_back(std::move(pod));
}

void ManifestDecoder::Complete(ObjectMeta& meta, const std::string& kind, bool namespaced,
                               const std::string& where) {
  if (namespaced && meta.namespace_.empty()) meta.namespace_ = "default";
  if (!namespaced) meta.namespace_.clear();
  Claim(kind, meta, where);
  if (meta.creation == 0) meta.creation = options_.now - 3600 * kSecond + loaded_.places * kSecond;
  if (meta.uid.empty()) {
    meta.uid = kind == "Pod" ? meta.namespace_ + "-" + meta.name : meta.Key();
  }
}

void ManifestDecoder::Claim(const std::string& kind, const ObjectMeta& meta,
                            const std::string& where) {
  const auto [it, added] = seen_.try_emplace(kind + " " + meta.Key(), where);
  if (!added) throw FieldError("metadata.name", "the same object stands already in " + it->second);
}

Loaded ManifestDecoder::Finish() {
  const ClassValues classes = Classes();
  ExpandJobs(classes);
  ResolvePriorities(classes);
  WarnOfQuotaLabels();
  MakeGroups(options_, loaded_);
  for (PodGroupRecord& group : loaded_.objects.pod_groups) {
    if (group.queue.empty()) group.queue = options_.default_queue;
  }
  std::set<std::string> known{"root", "default", options_.default_queue};
  if (options_.before != nullptr) {
    for (const QueueRecord& queue : options_.before->objects.queues) known.insert(queue.meta.name);
  }
  for (std::string& line : QueueTreeProblems(loaded_.objects.queues, known))
    loaded_.warnings.push_back(std::move(line));
  return std::move(loaded_);
}

}  // namespace batholith
