#include "codec/decode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "api/resource_vector.h"
#include "codec/kinds.h"

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

bool IsKubernetesGroup(const std::string& group) {
  static constexpr std::array kBuiltIn{"", "apps", "batch", "autoscaling", "policy", "extensions"};
  static constexpr std::array kKnown{"volcano.sh",
                                     "batholith.dev",
                                     "nos.nebuly.com",
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

// A whole number of at least 1; anything else counts as 1.
std::int32_t MinMember(const std::string& text) {
  std::int32_t value = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::max(value, 1) : 1;
}

// Saturating, so that absurd input stays absurd and no more.
void Multiply(ResourceList& list, std::int64_t n) {
  for (auto& [name, amount] : list) {
    if (__builtin_mul_overflow(amount, n, &amount)) amount = INT64_MAX;
  }
}

bool IsVolcanoScheduling(const std::string& group) {
  return group == "scheduling.volcano.sh" || group == "scheduling.incubator.k8s.io" ||
         group == "scheduling.sigs.dev";
}

}  // namespace

void ManifestDecoder::Add(const boost::json::value& document, const std::string& where) {
  if (document.is_null()) return;
  const boost::json::object* object = document.if_object();
  if (object == nullptr) {
    loaded_.refused.push_back(where + ": must be an object");
    return;
  }
  const boost::json::value* kind = object->if_contains("kind");
  const boost::json::value* items = object->if_contains("items");
  if (kind != nullptr && kind->is_string() && kind->get_string().ends_with("List") &&
      items != nullptr) {
    if (!items->is_array()) {
      loaded_.refused.push_back(where + ": items: must be a list");
      return;
    }
    std::size_t i = 0;
    for (const boost::json::value& item : items->get_array())
      Add(item, where + ": item " + std::to_string(++i));
    return;
  }
  AddOne(document, where);
}

void ManifestDecoder::AddOne(const boost::json::value& value, const std::string& where) {
  const Field object(&value, "");
  std::string name = "object";
  try {
    const std::string kind = object["kind"].Text();
    if (kind.empty()) object["kind"].Fail("is missing");
    const std::string version = object["apiVersion"].Text();
    if (version.empty()) object["apiVersion"].Fail("is missing");
    const std::size_t slash = version.find('/');
    const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
    name = kind;
    const Field meta = object["metadata"];
    const std::string own = meta["name"].Text();
    const std::string ns = meta["namespace"].Text();
    name += " " + (ns.empty() ? own : ns + "/" + own);
    ++place_;
    AddKnown(object, group, kind, where);
  } catch (const FieldError& e) {
    loaded_.refused.push_back(where + ": " + name + ": " + e.what());
  }
}

void ManifestDecoder::Complete(ObjectMeta& meta, const std::string& kind, bool namespaced,
                               const std::string& where) {
  if (namespaced && meta.namespace_.empty()) meta.namespace_ = "default";
  if (!namespaced) meta.namespace_.clear();
  const auto [it, added] = seen_.try_emplace(kind + " " + meta.Key(), where);
  if (!added) throw FieldError("metadata.name", "the same object stands already in " + it->second);
  if (meta.creation == 0) meta.creation = options_.now - 3600 * kSecond + place_ * kSecond;
  if (meta.uid.empty()) {
    meta.uid = kind == "Pod" ? meta.namespace_ + "-" + meta.name : meta.Key();
  }
}

void ManifestDecoder::AddKnown(const Field& object, const std::string& group,
                               const std::string& kind, const std::string& where) {
  ClusterObjects& o = loaded_.objects;
  const auto add = [&](auto record, auto& list, bool namespaced) {
    Complete(record.meta, kind, namespaced, where);
    list.push_back(std::move(record));
  };
  if (group.empty() && kind == "Node") return add(ReadNode(object), o.nodes, false);
  if (group.empty() && kind == "Pod") return add(ReadPod(object, constraints_), o.pods, true);
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
  if (kind == "Job" && (group == "batch.volcano.sh" || group == "batch")) {
    JobManifest job{nullptr, where, group == "batch.volcano.sh", ReadMeta(object)};
    Complete(job.meta, kind + "." + group, true, where);
    kept_.push_back(*object.value());
    jobs_.push_back(std::move(job));
    return;
  }
  if (!IsKubernetesGroup(group))
    object["kind"].Fail("kind " + kind + " of group " + group + " is not known");
}

void ManifestDecoder::ExpandJobs() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const Field object(&kept_[i], "");
    try {
      if (jobs_[i].volcano) {
        ExpandVolcanoJob(object, jobs_[i].meta);
      } else {
        ExpandBatchJob(object, jobs_[i].meta);
      }
    } catch (const FieldError& e) {
      loaded_.refused.push_back(jobs_[i].where + ": Job " + jobs_[i].meta.Key() + ": " + e.what());
    }
  }
}

void ManifestDecoder::AddTaskPods(const Field& template_, const ObjectMeta& job,
                                  const std::string& group, const std::string& role,
                                  std::int64_t replicas, const std::string& queue) {
  for (std::int64_t i = 0; i < replicas; ++i) {
    boost::json::object pod =
        template_.present() ? template_.value()->as_object() : boost::json::object();
    boost::json::object& meta = pod["metadata"].is_object() ? pod["metadata"].get_object()
                                                            : pod["metadata"].emplace_object();
    meta["name"] = job.name + "-" + (role.empty() ? "" : role + "-") + std::to_string(i);
    meta["namespace"] = job.namespace_;
    const boost::json::value value(std::move(pod));
    PodRecord record = ReadPod(Field(&value, template_.path()), constraints_);
    record.scheduler_name = options_.scheduler_names.front();
    record.group = group;
    record.meta.annotations["scheduling.k8s.io/group-name"] = group;
    record.meta.annotations["volcano.sh/queue-name"] = queue;
    record.meta.annotations["volcano.sh/job-name"] = job.name;
    if (!role.empty()) {
      record.meta.annotations["volcano.sh/task-spec"] = role;
      record.task_role = role;
    }
    record.meta.owner_uid = job.uid;
    record.meta.owner_kind = "Job";
    record.meta.owner_name = job.name;
    record.meta.creation = job.creation;
    Complete(record.meta, "Pod", true, "pods of Job " + job.Key());
    loaded_.objects.pods.push_back(std::move(record));
  }
}

void ManifestDecoder::ExpandVolcanoJob(const Field& object, const ObjectMeta& meta) {
  const Field spec = object["spec"];
  const std::string group_name = meta.name + "-" + meta.uid;
  // Its pods or its group are in the dump: nothing to make.
  for (const PodGroupRecord& g : loaded_.objects.pod_groups) {
    if (g.meta.namespace_ == meta.namespace_ &&
        (g.meta.owner_uid == meta.uid || g.meta.name == group_name))
      return;
  }
  for (const PodRecord& p : loaded_.objects.pods) {
    const auto it = p.meta.annotations.find("volcano.sh/job-name");
    if (p.meta.namespace_ == meta.namespace_ && it != p.meta.annotations.end() &&
        it->second == meta.name)
      return;
  }
  PodGroupRecord group;
  group.meta = meta;
  group.meta.name = meta.name;  // named as the job, which is what its users look for
  group.queue = spec["queue"].Text(options_.default_queue);
  group.priority_class = spec["priorityClassName"].Text();
  group.phase = JobPhase::kPending;
  std::int64_t total = 0;
  struct Part {
    std::int32_t priority;
    std::int64_t replicas;
    ResourceList request;
  };
  std::vector<Part> parts;
  std::size_t index = 0;
  for (const Field& task : spec["tasks"].Items()) {
    const std::string role = task["name"].Text("default" + std::to_string(index++));
    const std::int64_t replicas = task["replicas"].Int(1, 0, 1'000'000);
    const std::int64_t min = task["minAvailable"].Int(replicas, 0, INT32_MAX);
    if (task["minAvailable"].present())
      group.min_task_member[role] = static_cast<std::int32_t>(min);
    AddTaskPods(task["template"], meta, group.meta.name, role, replicas, group.queue);
    parts.push_back({0, replicas, EffectiveRequest(task["template"]["spec"])});
    total += min;
  }
  group.min_member = static_cast<std::int32_t>(spec["minAvailable"].Int(total, 0, INT32_MAX));
  std::int64_t left = group.min_member;
  ResourceList min_resources;
  for (const Part& part : parts) {
    const std::int64_t n = std::min(left, part.replicas);
    ResourceList some = part.request;
    Multiply(some, n);
    for (const auto& [name, amount] : some) {
      min_resources[name] = ResourceVector::AddSaturating(min_resources[name], amount);
    }
    left -= n;
  }
  group.min_resources = std::move(min_resources);
  Complete(group.meta, "PodGroup", true, "group of Job " + meta.Key());
  loaded_.objects.pod_groups.push_back(std::move(group));
}

void ManifestDecoder::ExpandBatchJob(const Field& object, const ObjectMeta& meta) {
  const Field spec = object["spec"];
  const std::string scheduler = spec["template"]["spec"]["schedulerName"].Text("default-scheduler");
  const auto& ours = options_.scheduler_names;
  if (std::ranges::find(ours, scheduler) == ours.end()) return;
  for (const PodRecord& p : loaded_.objects.pods) {
    if (p.meta.namespace_ == meta.namespace_ &&
        (p.meta.owner_uid == meta.uid || p.meta.owner_name == meta.name))
      return;
  }
  const std::int64_t completions = spec["completions"].Int(INT32_MAX, 0, INT32_MAX);
  const std::int64_t parallel = std::min(spec["parallelism"].Int(1, 0, 1'000'000), completions);
  PodGroupRecord group;
  group.meta = meta;
  group.min_member = 1;
  const auto min = meta.annotations.find("scheduling.volcano.sh/group-min-member");
  if (min != meta.annotations.end()) group.min_member = MinMember(min->second);
  const auto queue = meta.annotations.find("scheduling.volcano.sh/queue-name");
  group.queue = queue == meta.annotations.end() ? options_.default_queue : queue->second;
  group.priority_class = spec["template"]["spec"]["priorityClassName"].Text();
  group.phase = JobPhase::kPending;
  AddTaskPods(spec["template"], meta, meta.name, "", parallel, group.queue);
  ResourceList request = EffectiveRequest(spec["template"]["spec"]);
  Multiply(request, group.min_member);
  group.min_resources = std::move(request);
  Complete(group.meta, "PodGroup", true, "group of Job " + meta.Key());
  loaded_.objects.pod_groups.push_back(std::move(group));
}

// Priorities and preemption policies of pods from their classes.
void ManifestDecoder::ResolvePods() {
  std::unordered_map<std::string, const PriorityClassRecord*> classes;  // looked up only
  const PriorityClassRecord* fallback = nullptr;
  for (const PriorityClassRecord& c : loaded_.objects.priority_classes) {
    classes[c.meta.name] = &c;
    if (c.global_default) fallback = &c;
  }
  std::map<std::string, bool> warned;
  for (PodRecord& pod : loaded_.objects.pods) {
    const auto it = classes.find(pod.priority_class);
    const PriorityClassRecord* c = it != classes.end()          ? it->second
                                   : pod.priority_class.empty() ? fallback
                                                                : nullptr;
    if (c != nullptr) {
      if (!pod.priority) pod.priority = c->value;
      pod.preemption_never = pod.preemption_never || c->preemption_never;
    } else if (pod.priority_class == "system-cluster-critical") {
      if (!pod.priority) pod.priority = 2'000'000'000;
    } else if (pod.priority_class == "system-node-critical") {
      if (!pod.priority) pod.priority = 2'000'001'000;
    } else if (!pod.priority_class.empty() && !pod.priority && !warned[pod.priority_class]) {
      warned[pod.priority_class] = true;
      loaded_.warnings.push_back("Pod " + pod.meta.Key() +
                                 ": spec.priorityClassName: no priority class " +
                                 pod.priority_class + ": counts as no class");
    }
  }
}

// Volcano's group controller: pods of ours without a group get one, shared by the pods of one owner
// (reference 4.8).
void ManifestDecoder::MakeGroups() {
  std::map<std::string, std::size_t> made;
  std::map<std::string, std::int32_t> running;
  const auto& ours = options_.scheduler_names;
  std::vector<PodGroupRecord>& groups = loaded_.objects.pod_groups;
  for (PodRecord& pod : loaded_.objects.pods) {
    if (!pod.group.empty() || std::ranges::find(ours, pod.scheduler_name) == ours.end()) continue;
    const std::string& owner = pod.meta.owner_uid.empty() ? pod.meta.uid : pod.meta.owner_uid;
    pod.group = "podgroup-" + owner;
    const auto [it, added] = made.try_emplace(pod.meta.namespace_ + "/" + pod.group, groups.size());
    if (added) {
      PodGroupRecord group;
      group.meta = pod.meta;
      group.meta.name = pod.group;
      group.meta.uid = group.meta.Key();
      group.meta.labels.clear();
      group.min_member = 1;
      const auto min = pod.meta.annotations.find("scheduling.volcano.sh/group-min-member");
      if (min != pod.meta.annotations.end()) group.min_member = MinMember(min->second);
      const auto queue = pod.meta.annotations.find("scheduling.volcano.sh/queue-name");
      group.queue = queue == pod.meta.annotations.end() ? options_.default_queue : queue->second;
      group.priority_class = pod.priority_class;
      ResourceList request = pod.request;
      Multiply(request, group.min_member);
      group.min_resources = std::move(request);
      group.made_for_pod = true;
      group.phase = JobPhase::kPending;
      groups.push_back(std::move(group));
    }
    if (!pod.node_name.empty() && pod.phase != PodPhase::kFailed) {
      if (++running[pod.group] >= groups[it->second].min_member)
        groups[it->second].phase = JobPhase::kRunning;
    }
  }
}

Loaded ManifestDecoder::Finish() {
  ExpandJobs();
  ResolvePods();
  MakeGroups();
  for (PodGroupRecord& group : loaded_.objects.pod_groups) {
    if (group.queue.empty()) group.queue = options_.default_queue;
  }
  return std::move(loaded_);
}

}  // namespace batholith
