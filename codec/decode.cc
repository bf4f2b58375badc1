#include "codec/decode.h"

#include <algorithm>
#include <array>

#include "codec/json/parse.h"
#include "codec/kube_kinds.h"
#include "codec/limits.h"
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
  if (std::ranges::find(kBuiltIn, group) != kBuiltIn.end() || group.ends_with(".k8s.io") ||
      group.ends_with(".x-k8s.io"))
    return true;
  return std::ranges::any_of(kKnown, [&](const std::string& known) {
    return group == known || group.ends_with("." + known);
  });
}

}  // namespace

struct ManifestDecoder::ListItem {
  std::string kind;
  std::string version;
};

void ManifestDecoder::Add(boost::json::value document, const std::string& where) {
  AddValue(document, where, {});
}

void ManifestDecoder::AddValue(boost::json::value& value, const std::string& where,
                               const ListItem& outer) {
  if (value.is_null() || Stopped()) return;
  const Field glance = Field::Glance(value);
  if (!glance.is_object()) {
    loaded_.refused.push_back(where + ": must be an object");
    return;
  }
  const std::string kind = glance["kind"].Text();
  const Field items = glance["items"];
  if (kind != "List" && (items.value() == nullptr || !kind.ends_with("List")))
    return AddOne(value, where, outer);
  if (!items.present()) return;  // an empty list
  if (!items.is_list()) {
    loaded_.refused.push_back(where + ": " + Printable(kind) + ": items: must be a list, not " +
                              std::string(items.kind()));
    return;
  }
  // An API server leaves out kind and version in the items of a NodeList.
  ListItem inner;
  if (kind != "List") inner = {kind.substr(0, kind.size() - 4), glance["apiVersion"].Text()};
  std::size_t i = 0;
  // Each is freed as soon as it is read.
  for (boost::json::value& item : value.get_object()["items"].get_array()) {
    AddValue(item, where + ": item " + std::to_string(++i), inner);
    item = nullptr;
    if (Stopped()) return;
  }
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
  const bool job_manifest = kind == "Job" && (group == "batch.volcano.sh" || group == "batch");
  const KubeKind* kube = FindKindOfGroup(group, kind);
  if (job_manifest || kube != nullptr) CheckSize(*object.value());
  if (job_manifest) {
    // Its pods may stand later in the input.
    JobManifest job{*object.value(), where, group == "batch.volcano.sh", ReadMeta(object)};
    Complete(job.meta, kind + "." + group, true, where);
    jobs_.push_back(std::move(job));
    return;
  }
  if (kube == nullptr) {
    if (IsKnownGroup(group)) return;
    object["kind"].Fail("kind " + Printable(kind) + " of group " + Printable(group) +
                        " is not known");
  }
  ReadContext context{group, kind, constraints_, loaded_.warnings};
  ObjectRecord record = kube->read(object, context);
  std::visit([&](auto& r) { Keep(std::move(r), object, *kube, where); }, record);
}

template <typename Record>
void ManifestDecoder::Keep(Record record, const Field& object, const KubeKind& kind,
                           const std::string& where) {
  std::string claimed = kind.kind;
  // Quotas of one name in several groups are different objects.
  if constexpr (std::is_same_v<Record, ElasticQuotaRecord>) claimed += "." + record.group;
  const bool namespaced = IsNamespaced(kind, record);
  if constexpr (std::is_same_v<Record, NodeGroupRecord>) {
    if (!namespaced) CountMadeNodes(record, object["spec"]);
  }
  Complete(record.meta, claimed, namespaced, where);
  if constexpr (std::is_same_v<Record, PodTemplateRecord>)
    record.pod.meta.namespace_ = record.meta.namespace_;
  if constexpr (std::is_same_v<Record, ScalableRecord>) {
    if (record.pod) record.pod->meta.namespace_ = record.meta.namespace_;
  }
  if constexpr (std::is_same_v<Record, PodRecord>) {
    if (object["spec"]["preemptionPolicy"].present()) own_policy_.insert(record.meta.Key());
  }
  AllOf<Record>(loaded_.objects).push_back(std::move(record));
}

// A simulated group stands up with all its nodes at once: a number is short, and they are not.
void ManifestDecoder::CountMadeNodes(const NodeGroupRecord& group, const Field& spec) {
  const std::int64_t nodes = std::max(group.min, group.replicas);
  if (nodes > kMaxMadeNodes - made_nodes_) {
    spec[group.min > group.replicas ? "min" : "size"].Fail(
        std::to_string(nodes) + " nodes are too many: the groups of one input have " +
        std::to_string(kMaxMadeNodes) + " at most");
  }
  const Field node = spec["template"];
  const std::size_t bytes = node.present() ? TextBytes(*node.value()) : 0;
  if (nodes > 0 && bytes > kMaxCopiedBytes / static_cast<std::size_t>(nodes)) {
    node.Fail(std::to_string(nodes) + " nodes of " + std::to_string(bytes) +
              " bytes each, at most " + std::to_string(kMaxCopiedBytes >> 20U) +
              " MB are made of a group");
  }
  made_nodes_ += nodes;
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
  if (!added)
    throw FieldError("metadata.name", "the same object is already defined in " + it->second);
}

Loaded ManifestDecoder::Finish() {
  const ClassValues classes = Classes();
  ExpandJobs(classes);
  if (Stopped()) {
    loaded_.warnings.push_back("behind " + std::to_string(kMaxRefused) +
                               " refused objects the rest of the input was not looked at");
  }
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
