#include "codec/object_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "codec/kinds.h"
#include "codec/made_groups.h"

namespace batholith {
namespace {

bool IsVolcanoScheduling(const std::string& group) {
  return group == "scheduling.volcano.sh" || group == "scheduling.incubator.k8s.io" ||
         group == "scheduling.sigs.dev";
}

bool IsElasticQuota(const std::string& group, const std::string& kind) {
  const bool nos = group == kNosGroup || group == kOldNosGroup;
  if (kind == "CompositeElasticQuota") return nos;
  return kind == "ElasticQuota" && (nos || group == kSchedulerPluginsGroup || group == kSigsGroup);
}

// Kinds that only resource slack and node groups ask for.
std::optional<ObjectRecord> ReadOfSlack(const Field& object, const std::string& group,
                                        const std::string& kind, ConstraintTable& constraints) {
  if (IsScalable(group, kind)) return ReadScalable(object, group, kind, constraints);
  if (group == "autoscaling.x-k8s.io" && kind == "CapacityBuffer")
    return ReadCapacityBuffer(object);
  if (group == "cluster.x-k8s.io" && kind == "MachineDeployment")
    return ReadMachineDeployment(object);
  if (group == "cluster.x-k8s.io" && kind == "Machine") return ReadMachine(object);
  if (group == "batholith.dev" && kind == "NodeGroup") return ReadNodeGroup(object);
  return std::nullopt;
}

// Sessions ask pods for notes of Volcano, of slack and of node groups alone. Others may be long,
// and a cluster has very many.
void DropUnreadNotes(PodRecord& pod) {
  std::erase_if(pod.meta.annotations, [](const auto& note) {
    const std::string& key = note.first;
    return !key.contains("volcano.sh/") && !key.starts_with("slack.batholith.dev/") &&
           !key.starts_with("cluster-autoscaler.kubernetes.io/") &&
           key != "kubernetes.io/config.mirror";
  });
}

}  // namespace

bool IsRead(const std::string& group, const std::string& kind) {
  static constexpr std::array<std::array<std::string_view, 2>, 11> kRead{{
      {"", "Pod"},
      {"", "Node"},
      {"", "Namespace"},
      {"", "ResourceQuota"},
      {"", "PodTemplate"},
      {"scheduling.k8s.io", "PriorityClass"},
      {"policy", "PodDisruptionBudget"},
      {kQuotaProfileGroup, "ElasticQuotaProfile"},
      {"autoscaling.x-k8s.io", "CapacityBuffer"},
      {"cluster.x-k8s.io", "MachineDeployment"},
      {"cluster.x-k8s.io", "Machine"},
  }};
  const bool volcano = IsVolcanoScheduling(group) && (kind == "Queue" || kind == "PodGroup");
  return volcano || IsElasticQuota(group, kind) || IsScalable(group, kind) ||
         (group == "batholith.dev" && kind == "NodeGroup") ||
         std::ranges::any_of(kRead, [&](const auto& k) { return k[0] == group && k[1] == kind; });
}

std::optional<ObjectRecord> ReadRecord(const Field& object, const std::string& group,
                                       const std::string& kind, ConstraintTable& constraints,
                                       std::vector<std::string>& warnings) {
  if (group.empty()) {
    if (kind == "Pod") return ReadPod(object, constraints);
    if (kind == "Node") return ReadNode(object);
    if (kind == "Namespace") return NamespaceRecord{ReadMeta(object)};
    if (kind == "ResourceQuota") return ReadResourceQuota(object);
    if (kind == "PodTemplate") return ReadPodTemplate(object, constraints);
    return ReadOfSlack(object, group, kind, constraints);
  }
  if (group == "scheduling.k8s.io" && kind == "PriorityClass") return ReadPriorityClass(object);
  if (group == "policy" && kind == "PodDisruptionBudget") return ReadDisruptionBudget(object);
  if (IsVolcanoScheduling(group) && kind == "Queue") return ReadQueue(object);
  if (IsVolcanoScheduling(group) && kind == "PodGroup") return ReadPodGroup(object);
  if (IsElasticQuota(group, kind)) return ReadElasticQuota(object, group, warnings);
  if (group == kQuotaProfileGroup && kind == "ElasticQuotaProfile")
    return ReadElasticQuotaProfile(object);
  return ReadOfSlack(object, group, kind, constraints);
}

bool ObjectReader::IsOurs(const PodRecord& pod) const {
  return std::ranges::find(scheduler_names_, pod.scheduler_name) != scheduler_names_.end();
}

Result<ObjectReader::Read> ObjectReader::ReadObject(const boost::json::value& value) {
  Flaws flaws;
  const Field object(&value, "", &flaws);
  std::string name = "object";
  Read out;
  try {
    const std::string kind = object["kind"].Text();
    if (!kind.empty()) name = Printable(kind);
    const std::string own = ReadName(object);
    const std::string ns = object["metadata"]["namespace"].Text();
    name += " " + Printable(ns.empty() ? own : ns + "/" + own);
    const std::string version = object["apiVersion"].Text();
    const std::size_t slash = version.find('/');
    const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
    std::optional<ObjectRecord> record =
        ReadRecord(object, group, kind, constraints_, out.warnings);
    if (!record) object["kind"].Fail("nobody reads it");
    if (flaws.count() != 0) {
      out.flaw = name + ": " + flaws.first();
      std::visit([&](auto& r) { r.meta.flaw = flaws.first(); }, *record);
    }
    if (auto* pod = std::get_if<PodRecord>(&*record)) {
      std::optional<PodGroupRecord> made;
      if (pod->group.empty() && IsOurs(*pod))
        made = MakeGroupOf(*pod, default_queue_, out.warnings);
      DropUnreadNotes(*pod);
      out.records.push_back(std::move(*record));
      if (made) out.records.push_back(std::move(*made));
      return out;
    }
    if (auto* made = std::get_if<PodGroupRecord>(&*record); made != nullptr && made->queue.empty())
      made->queue = default_queue_;
    out.records.push_back(std::move(*record));
    return out;
  } catch (const FieldError& e) {
    return Invalid(name + ": " + e.what());
  }
}

}  // namespace batholith
