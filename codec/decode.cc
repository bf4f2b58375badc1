#include "codec/decode.h"

#include <algorithm>
#include <array>

#include "codec/claim_templates.h"
#include "codec/json/parse.h"
#include "codec/kube_kinds.h"
#include "codec/limits.h"
#include "codec/made_groups.h"
#include "codec/queue_tree.h"
#include "codec/schema/schema.h"

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

// Kinds of which pods, groups or defaults are made, and no record.
bool IsSource(std::string_view group, std::string_view kind) {
  const bool batch = group == "batch" || group == "batch.volcano.sh";
  return (batch && (kind == "Job" || kind == "CronJob")) ||
         (group == "apps" && kind == "DaemonSet") || (group.empty() && kind == "LimitRange");
}

bool IsToBeNamed(const boost::json::value& object) {
  return TextIn(object, {"metadata", "name"}).empty() &&
         !TextIn(object, {"metadata", "generateName"}).empty();
}

// A name as an API server would make it, but the same each time.
boost::json::value Named(const Field& object, std::int64_t place) {
  boost::json::object named = object.Object();
  boost::json::object meta = object["metadata"].Object();
  std::string number = std::to_string(place);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
  meta["name"] = object["metadata"]["generateName"].Text() + number;
  named["metadata"] = std::move(meta);
  return named;
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
  Field object(&value, "");
  boost::json::value named;
  std::string name = "object";
  ++loaded_.places;
  try {
    if (IsToBeNamed(value)) {
      named = Named(object, loaded_.places);
      object = Field(&named, "");
    }
    const std::string kind = object["kind"].Text(outer.kind);
    if (kind.empty()) object["kind"].Fail("is missing");
    name = Printable(kind);
    const std::string version = object["apiVersion"].Text(outer.version);
    const std::string own = ReadName(object);
    const std::string namespace_ = object["metadata"]["namespace"].Text();
    name += " " + Printable(namespace_.empty() ? own : namespace_ + "/" + own);
    if (version.empty()) object["apiVersion"].Fail("is missing");
    const std::size_t slash = version.find('/');
    const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
    AddKnown(object, group, kind, where, where + ": " + name);
  } catch (const FieldError& e) {
    loaded_.refused.push_back(where + ": " + name + ": " + e.what());
  }
}

void ManifestDecoder::AddKnown(const Field& object, const std::string& group,
                               const std::string& kind, const std::string& where,
                               const std::string& name) {
  const KubeKind* kube = FindKindOfGroup(group, kind);
  if (kube == nullptr && !IsSource(group, kind)) return LeaveOut(group, kind, name);
  CheckSize(*object.value());
  for (const std::string& line : UnknownFields(object, group, kind)) Doubt(name + ": " + line);
  if (AddSource(object, group, kind, where)) return;
  ReadContext context{group, kind, constraints_, loaded_.warnings};
  ObjectRecord record = kube->read(object, context);
  std::visit([&](auto& r) { Keep(std::move(r), object, *kube, where); }, record);
}

void ManifestDecoder::Doubt(std::string line) {
  (options_.strict ? loaded_.refused : loaded_.warnings).push_back(std::move(line));
}

// Kinds of Kubernetes that have no part in scheduling are counted only, others named once each.
void ManifestDecoder::LeaveOut(const std::string& group, const std::string& kind,
                               const std::string& name) {
  const std::string full = Printable(kind) + (group.empty() ? "" : "." + Printable(group));
  if (HasNoPart(group, kind)) {
    ++loaded_.left_out[full];
  } else if (++loaded_.left_out[full] == 1 || options_.strict) {
    Doubt(name + ": " + UnknownKind(group, kind) + ": left out");
  }
}

bool ManifestDecoder::AddSource(const Field& object, const std::string& group,
                                const std::string& kind, const std::string& where) {
  const bool volcano = group == "batch.volcano.sh";
  if (kind == "Job" && (volcano || group == "batch")) {
    AddJob(*object.value(), where, volcano);
  } else if (kind == "CronJob" && (volcano || group == "batch")) {
    AddCronJob(object, where, volcano);
  } else if (kind == "DaemonSet" && group == "apps") {
    ScalableRecord record = ReadScalable(object, group, kind, constraints_);
    Complete(record.meta, kind, /*namespaced=*/true, where);
    AddWorkload(std::move(record), object, where);
  } else if (kind == "LimitRange" && group.empty()) {
    ObjectMeta meta = ReadMeta(object);
    Complete(meta, kind, /*namespaced=*/true, where);
    loaded_.limit_ranges.Add(meta, object);
  } else {
    return false;
  }
  return true;
}

// Its pods may stand later in the input.
void ManifestDecoder::AddJob(const boost::json::value& value, const std::string& where,
                             bool volcano) {
  JobManifest job{value, where, volcano, ReadMeta(Field(&value, ""))};
  Complete(job.meta, volcano ? "Job.batch.volcano.sh" : "Job.batch", true, where);
  jobs_.push_back(std::move(job));
}

// One run of it, whatever its schedule says: JOB-MINUTE, as its controller names it.
void ManifestDecoder::AddCronJob(const Field& object, const std::string& where, bool volcano) {
  ObjectMeta meta = ReadMeta(object);
  Complete(meta, volcano ? "CronJob.batch.volcano.sh" : "CronJob.batch", true, where);
  cron_jobs_.push_back({*object.value(), where, volcano, std::move(meta)});
}

void ManifestDecoder::AddWorkload(ScalableRecord record, const Field& object,
                                  const std::string& where) {
  Workload workload;
  workload.where = where;
  const Field spec = object["spec"];
  workload.stored = object["metadata"]["uid"].present();
  workload.own_policy = spec["template"]["spec"]["preemptionPolicy"].present();
  workload.first_ordinal = spec["ordinals"]["start"].Int(0, 0, INT32_MAX);
  workload.resources = ResourcesOf(spec["template"]["spec"]);
  workload.claim_templates = ReadClaimTemplates(spec["volumeClaimTemplates"]);
  workload.record = std::move(record);
  const ObjectMeta& meta = workload.record.meta;
  owners_[meta.namespace_ + "/" + ControllerUid(workload)] = meta.annotations;
  workloads_.push_back(std::move(workload));
}

template <typename Record>
void ManifestDecoder::Keep(Record record, const Field& object, const KubeKind& kind,
                           const std::string& where) {
  std::string claimed = kind.kind;
  // Quotas and groups of pods of one name in several groups of the API are different objects.
  if constexpr (std::is_same_v<Record, ElasticQuotaRecord>) claimed += "." + record.group;
  if constexpr (std::is_same_v<Record, PodGroupRecord>) claimed += SuffixOf(record.api);
  const bool namespaced = IsNamespaced(kind, record);
  if constexpr (std::is_same_v<Record, NodeGroupRecord>) {
    if (!namespaced) CountMadeNodes(record, object["spec"]);
  }
  Complete(record.meta, claimed, namespaced, where);
  if constexpr (std::is_same_v<Record, PodTemplateRecord>)
    record.pod.meta.namespace_ = record.meta.namespace_;
  if constexpr (std::is_same_v<Record, ScalableRecord>) {
    if (record.pod) record.pod->meta.namespace_ = record.meta.namespace_;
    AddWorkload(record, object, where);
  }
  if constexpr (std::is_same_v<Record, PodRecord>) {
    if (object["spec"]["preemptionPolicy"].present()) own_policy_.insert(record.meta.Key());
    if (!object["metadata"]["uid"].present())
      unstored_.emplace_back(loaded_.objects.pods.size(), ResourcesOf(object["spec"]));
  }
  if constexpr (std::is_same_v<Record, PersistentVolumeClaimRecord>) {
    // Its controller writes the annotation with the phase; manifests by hand have the phase.
    if (record.phase == ClaimPhase::kBound && !record.volume.empty())
      record.meta.annotations.Edit().try_emplace(std::string(kBindCompleted), "yes");
  }
  if constexpr (std::is_same_v<Record, PersistentVolumeRecord>) {
    // What nobody has looked at yet is free, as its controller finds at once.
    if (!object["status"]["phase"].present() && !record.claim)
      record.phase = VolumePhase::kAvailable;
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
  GiveDefaults();
  RunCronJobs();
  ExpandJobs(classes);
  ExpandWorkloads();
  GiveStorageClass();
  if (Stopped()) {
    loaded_.warnings.push_back("behind " + std::to_string(kMaxRefused) +
                               " refused objects the rest of the input was not looked at");
  }
  ResolvePriorities(classes);
  WarnOfQuotaLabels();
  MakeGroups(options_, owners_, loaded_);
  for (PodGroupRecord& group : loaded_.objects.pod_groups) {
    if (group.queue.empty() && group.api == GroupApi::kVolcano)
      group.queue = options_.default_queue;
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
