#include "codec/pod.h"

#include <algorithm>
#include <array>

#include "api/elastic_quota.h"
#include "codec/foreign_group.h"
#include "codec/kinds.h"
#include "codec/placement_needs.h"
#include "codec/pod_device_claims.h"
#include "codec/pod_volumes.h"

namespace batholith {
namespace {

constexpr Choices<PodPhase, 5> kPhases{{{"Pending", PodPhase::kPending},
                                        {"Running", PodPhase::kRunning},
                                        {"Succeeded", PodPhase::kSucceeded},
                                        {"Failed", PodPhase::kFailed},
                                        {"Unknown", PodPhase::kUnknown}}};

constexpr std::array kVolcanoGroups{"scheduling.k8s.io/group-name",
                                    "scheduling.volcano.sh/group-name"};

PodRecord ReadPodAs(ObjectMeta meta, const Field& object, ConstraintTable& table) {
  PodRecord pod;
  pod.meta = std::move(meta);
  pod.meta.labels = table.Intern(*pod.meta.labels);
  const Field spec = object["spec"];
  const Field status = object["status"];
  pod.scheduler_name = spec["schedulerName"].Text("default-scheduler");
  pod.node_name = spec["nodeName"].Text();
  pod.phase = status["phase"].OneOf(kPhases, PodPhase::kPending);
  const std::size_t flaws = object.flaw_count();
  PodRequest asked = EffectiveRequest(spec, status);
  pod.request = table.Intern(std::move(asked.request));
  pod.unnamed_cpu = asked.unnamed_cpu;
  pod.unnamed_memory = asked.unnamed_memory;
  pod.request_unread = object.flaw_count() != flaws;
  pod.constraints = table.Intern(ReadConstraints(spec, pod.meta.labels));
  if (spec["priority"].present()) pod.priority = spec["priority"].Int32(0);
  pod.priority_class = spec["priorityClassName"].Text();
  pod.preemption_never = ReadPreemptionNever(spec["preemptionPolicy"]);
  pod.nominated_node = status["nominatedNodeName"].Text();
  ReadPodVolumes(spec, pod);
  pod.device_claims = ReadPodDeviceClaims(spec, status);
  for (const Field& gate : spec["schedulingGates"].Items())
    pod.scheduling_gates.push_back(gate["name"].Text());
  for (const Field& c : status["conditions"].Items()) {
    if (c["type"].Text() == "PodScheduled" && c["status"].Text() == "True")
      pod.scheduled_at = c["lastTransitionTime"].Time();
  }
  pod.started_at = status["startTime"].Time();
  pod.deletion = object["metadata"]["deletionTimestamp"].Time();
  if (const Field deadline = spec["activeDeadlineSeconds"]; deadline.present())
    pod.deadline_s = deadline.Clamped(0, 0, INT32_MAX);
  // API servers take any number, and kubelets end a pod with a negative one after a second.
  if (const Field grace = spec["terminationGracePeriodSeconds"]; grace.present()) {
    const std::int64_t seconds = grace.Clamped(0, INT64_MIN, INT32_MAX);
    pod.grace_period_s = seconds < 0 ? 1 : seconds;
  }
  pod.group = KubernetesGroupOf(spec);
  for (const char* key : kVolcanoGroups) {
    if (const std::string* group = FindValue(pod.meta.annotations, key);
        group != nullptr && pod.group.empty())
      pod.group = *group;
  }
  if (pod.group.empty()) pod.group = CoschedulingGroupOf(pod.meta);
  if (const std::string* role = FindValue(pod.meta.annotations, "volcano.sh/task-spec")) {
    pod.task_role = *role;
  } else if (const std::string* label = FindValue(pod.meta.labels, "volcano.sh/task-spec")) {
    pod.task_role = *label;
  }
  const std::string* quota =
      FindSpelledLabel(pod.meta.labels, kPodQuotaLabel, kOldPodQuotaLabel).value;
  if (quota != nullptr) pod.quota_name = *quota;
  const std::string* preemptible = FindQuotaLabel(pod.meta.labels, "preemptible");
  pod.needs = NeedsOfPod(spec, pod);
  pod.quota_preemptible = preemptible == nullptr || *preemptible != "false";
  return pod;
}

}  // namespace

const std::string* FindValue(const Labels& labels, std::string_view key) {
  const auto it = labels.find(key);
  return it == labels.end() ? nullptr : &it->second;
}

PodRecord ReadPod(const Field& object, ConstraintTable& table) {
  return ReadPodAs(ReadMeta(object), object, table);
}

void WarnOfGroups(const PodRecord& pod, std::vector<std::string>& warnings) {
  if (!pod.group.ends_with(SuffixOf(GroupApi::kKubernetes))) return;
  for (const char* key : kVolcanoGroups) {
    if (FindValue(pod.meta.annotations, key) != nullptr)
      warnings.push_back("Pod " + Printable(pod.meta.Key()) + ": metadata.annotations." + key +
                         ": has no effect, since spec.schedulingGroup names a group");
  }
}

PodRecord ReadTemplatePod(const Field& object, const ObjectMeta& owner, ConstraintTable& table) {
  ObjectMeta meta;
  meta.name = owner.name;
  meta.namespace_ = owner.namespace_;
  meta.labels = object["metadata"]["labels"].TextMap();
  meta.annotations = object["metadata"]["annotations"].TextMap();
  PodRecord pod = ReadPodAs(std::move(meta), object, table);
  pod.request_unread = false;  // whoever holds the template has the flaw
  pod.unnamed_cpu = 0;         // nobody scores what it is used by
  pod.unnamed_memory = 0;
  pod.deletion = 0;  // nobody deletes a template's pod
  // Nor is it placed itself: it is in no gang of its own, and needs nothing.
  pod.needs = {};
  if (pod.group.ends_with(SuffixOf(GroupApi::kKubernetes))) pod.group.clear();
  return pod;
}

}  // namespace batholith
