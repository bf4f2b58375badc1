#include "codec/kinds.h"

namespace batholith {

NodeRecord ReadNode(const Field& object) {
  NodeRecord node;
  node.meta = ReadMeta(object);
  node.unschedulable = object["spec"]["unschedulable"].Bool(false);
  for (const Field& t : object["spec"]["taints"].Items()) {
    Taint taint{t["key"].Text(), t["value"].Text(), TaintEffect::kNoSchedule};
    const std::string effect = t["effect"].Text();
    if (effect == "PreferNoSchedule") {
      taint.effect = TaintEffect::kPreferNoSchedule;
    } else if (effect == "NoExecute") {
      taint.effect = TaintEffect::kNoExecute;
    } else if (effect != "NoSchedule") {
      t["effect"].Fail("\"" + effect + "\" is no taint effect");
    }
    node.taints.push_back(std::move(taint));
  }
  const Field status = object["status"];
  node.allocatable = status["allocatable"].present() ? status["allocatable"].Resources()
                                                     : status["capacity"].Resources();
  for (const Field& c : status["conditions"].Items()) {
    if (c["type"].Text() == "Ready") node.ready = c["status"].Text() == "True";
  }
  for (const Field& image : status["images"].Items()) {
    node.images.push_back({image["names"].Texts(), image["sizeBytes"].Int(0, 0, INT64_MAX)});
  }
  return node;
}

QueueRecord ReadQueue(const Field& object) {
  QueueRecord queue;
  queue.meta = ReadMeta(object);
  const Field spec = object["spec"];
  queue.weight = static_cast<std::int32_t>(spec["weight"].Int(1, 1, 1'000'000'000));
  queue.priority = spec["priority"].Int32(0);
  if (spec["reclaimable"].present()) queue.reclaimable = spec["reclaimable"].Bool(true);
  queue.capability = spec["capability"].Resources();
  queue.guarantee = spec["guarantee"]["resource"].Resources();
  queue.deserved = spec["deserved"].Resources();
  queue.parent = spec["parent"].Text();
  const Field like = spec["affinity"]["nodeGroupAffinity"];
  const Field unlike = spec["affinity"]["nodeGroupAntiAffinity"];
  queue.affinity.required = like["requiredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.preferred = like["preferredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.anti_required = unlike["requiredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.anti_preferred = unlike["preferredDuringSchedulingIgnoredDuringExecution"].Texts();
  const Field state = object["status"]["state"];
  const std::string text = state.Text("Open");
  if (text == "Closed") {
    queue.state = QueueState::kClosed;
  } else if (text == "Closing") {
    queue.state = QueueState::kClosing;
  } else if (text == "Unknown") {
    queue.state = QueueState::kUnknown;
  } else if (text != "Open" && !text.empty()) {
    state.Fail("\"" + text + "\" is no queue state (Open, Closing, Closed, Unknown)");
  }
  return queue;
}

std::vector<SubGroupPolicy> ReadSubGroupPolicies(const Field& list) {
  std::vector<SubGroupPolicy> out;
  for (const Field& p : list.Items()) {
    SubGroupPolicy policy;
    policy.name = p["name"].Text();
    policy.sub_group_size = static_cast<std::int32_t>(p["subGroupSize"].Int(1, 0, INT32_MAX));
    policy.min_sub_groups = static_cast<std::int32_t>(p["minSubGroups"].Int(0, 0, INT32_MAX));
    policy.selector = ReadLabelSelector(p["labelSelector"]);
    policy.match_label_keys = p["matchLabelKeys"].Texts();
    out.push_back(std::move(policy));
  }
  return out;
}

PodGroupRecord ReadPodGroup(const Field& object) {
  PodGroupRecord group;
  group.meta = ReadMeta(object);
  const Field spec = object["spec"];
  group.min_member = static_cast<std::int32_t>(spec["minMember"].Int(0, 0, INT32_MAX));
  for (const auto& [role, min] : spec["minTaskMember"].Entries()) {
    group.min_task_member[role] = static_cast<std::int32_t>(min.Int(0, 0, INT32_MAX));
  }
  group.sub_group_policies = ReadSubGroupPolicies(spec["subGroupPolicy"]);
  group.queue = spec["queue"].Text();
  group.priority_class = spec["priorityClassName"].Text();
  if (spec["minResources"].present()) group.min_resources = spec["minResources"].Resources();
  const Field phase = object["status"]["phase"];
  const std::string text = phase.Text();
  if (text.empty()) {
    group.phase = JobPhase::kNone;
  } else if (text == "Pending") {
    group.phase = JobPhase::kPending;
  } else if (text == "Inqueue") {
    group.phase = JobPhase::kInqueue;
  } else if (text == "Running") {
    group.phase = JobPhase::kRunning;
  } else if (text == "Unknown") {
    group.phase = JobPhase::kUnknown;
  } else if (text == "Completed") {
    group.phase = JobPhase::kCompleted;
  } else {
    phase.Fail("\"" + text +
               "\" is no group phase (Pending, Inqueue, Running, Unknown, Completed)");
  }
  for (const Field& c : object["status"]["conditions"].Items()) {
    group.conditions.push_back(
        {c["type"].Text(), c["status"].Text(), c["reason"].Text(), c["message"].Text()});
  }
  return group;
}

ResourceQuotaRecord ReadResourceQuota(const Field& object) {
  ResourceQuotaRecord quota;
  quota.meta = ReadMeta(object);
  // A negative weight is legal and loses against 1.
  quota.hard = object["spec"]["hard"].Resources(/*may_be_negative=*/true);
  quota.status_hard = object["status"]["hard"].Resources(true);
  quota.used = object["status"]["used"].Resources(true);
  return quota;
}

PriorityClassRecord ReadPriorityClass(const Field& object) {
  PriorityClassRecord out;
  out.meta = ReadMeta(object);
  out.value = object["value"].Int32(0);
  out.global_default = object["globalDefault"].Bool(false);
  out.preemption_never = object["preemptionPolicy"].Text() == "Never";
  return out;
}

PodDisruptionBudgetRecord ReadDisruptionBudget(const Field& object) {
  PodDisruptionBudgetRecord out;
  out.meta = ReadMeta(object);
  out.selector = ReadLabelSelector(object["spec"]["selector"]);
  out.disruptions_allowed = object["status"]["disruptionsAllowed"].Int32(0);
  for (const auto& [pod, when] : object["status"]["disruptedPods"].Entries())
    out.disrupted_pods.push_back(pod);
  return out;
}

}  // namespace batholith
