#include "codec/pod.h"

#include <algorithm>

namespace batholith {
namespace {

void AddTo(ResourceList& sum, const ResourceList& more) {
  for (const auto& [name, amount] : more) {
    std::int64_t& v = sum[name];
    if (__builtin_add_overflow(v, amount, &v)) v = INT64_MAX;
  }
}

void MaxInto(ResourceList& out, const ResourceList& other) {
  for (const auto& [name, amount] : other) {
    std::int64_t& v = out[name];
    v = std::max(v, amount);
  }
}

ResourceList ContainerRequest(const Field& container) {
  const Field resources = container["resources"];
  ResourceList request = resources["requests"].Resources();
  for (const auto& [name, limit] : resources["limits"].Resources())
    request.try_emplace(name, limit);
  return request;
}

PodPhase ReadPhase(const Field& phase) {
  const std::string text = phase.Text("Pending");
  if (text == "Pending" || text.empty()) return PodPhase::kPending;
  if (text == "Running") return PodPhase::kRunning;
  if (text == "Succeeded") return PodPhase::kSucceeded;
  if (text == "Failed") return PodPhase::kFailed;
  if (text == "Unknown") return PodPhase::kUnknown;
  phase.Fail("\"" + text + "\" is no pod phase");
}

const std::string* Note(const Labels& labels, std::string_view key) {
  const auto it = labels.find(key);
  return it == labels.end() ? nullptr : &it->second;
}

}  // namespace

ResourceList EffectiveRequest(const Field& spec) {
  ResourceList running;
  for (const Field& c : spec["containers"].Items()) AddTo(running, ContainerRequest(c));
  ResourceList sidecars;
  ResourceList starting;
  for (const Field& c : spec["initContainers"].Items()) {
    ResourceList request = ContainerRequest(c);
    if (c["restartPolicy"].Text() == "Always") {
      AddTo(sidecars, request);
      MaxInto(starting, sidecars);
    } else {
      AddTo(request, sidecars);
      MaxInto(starting, request);
    }
  }
  AddTo(running, sidecars);
  MaxInto(running, starting);
  const Field level = spec["resources"];
  ResourceList pod_level = level["requests"].Resources();
  for (const auto& [name, limit] : level["limits"].Resources()) pod_level.try_emplace(name, limit);
  for (const auto& [name, amount] : pod_level) running[name] = amount;
  AddTo(running, spec["overhead"].Resources());
  running.erase("pods");
  return running;
}

std::shared_ptr<const PodConstraints> ConstraintTable::Intern(PodConstraints constraints) {
  const auto it = known_.find(constraints.signature);
  if (it != known_.end()) return it->second;
  auto shared = std::make_shared<const PodConstraints>(std::move(constraints));
  known_.emplace(shared->signature, shared);
  return shared;
}

PodRecord ReadPod(const Field& object, ConstraintTable& table) {
  PodRecord pod;
  pod.meta = ReadMeta(object);
  const Field spec = object["spec"];
  const Field status = object["status"];
  pod.scheduler_name = spec["schedulerName"].Text("default-scheduler");
  pod.node_name = spec["nodeName"].Text();
  pod.phase = ReadPhase(status["phase"]);
  pod.request = EffectiveRequest(spec);
  pod.constraints = table.Intern(ReadConstraints(spec));
  if (spec["priority"].present()) pod.priority = spec["priority"].Int32(0);
  pod.priority_class = spec["priorityClassName"].Text();
  pod.preemption_never = spec["preemptionPolicy"].Text() == "Never";
  pod.nominated_node = status["nominatedNodeName"].Text();
  for (const Field& gate : spec["schedulingGates"].Items())
    pod.scheduling_gates.push_back(gate["name"].Text());
  for (const Field& c : status["conditions"].Items()) {
    if (c["type"].Text() == "PodScheduled" && c["status"].Text() == "True")
      pod.scheduled_at = c["lastTransitionTime"].Time();
  }
  pod.started_at = status["startTime"].Time();
  pod.grace_period_s = spec["terminationGracePeriodSeconds"].Int(-1, 0, INT32_MAX);
  for (const char* key : {"scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name"}) {
    if (const std::string* group = Note(pod.meta.annotations, key);
        group != nullptr && pod.group.empty())
      pod.group = *group;
  }
  if (const std::string* role = Note(pod.meta.annotations, "volcano.sh/task-spec")) {
    pod.task_role = *role;
  } else if (const std::string* label = Note(pod.meta.labels, "volcano.sh/task-spec")) {
    pod.task_role = *label;
  }
  return pod;
}

}  // namespace batholith
