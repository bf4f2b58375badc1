#include "codec/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <set>

#include "codec/claim_templates.h"
#include "codec/index_list.h"
#include "codec/made_groups.h"
#include "codec/network_topology.h"

namespace batholith {

struct JobExpander::Task {
  std::string role{};
  std::int64_t replicas = 0;
  std::int64_t min_available = 0;
  std::int32_t priority = 0;
  std::int64_t partition_size = 0;      // 0: not partitioned
  PodRecord pod;                        // what each replica is, but for its name
  bool own_policy = false;              // the template writes a preemptionPolicy
  std::vector<std::int64_t> indexes{};  // of each pod; empty: from 0 on
  Field field;
};

namespace {

constexpr std::int64_t kMaxReplicas = INT32_MAX;

std::int32_t ToInt32(std::int64_t value) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(value, INT32_MAX));
}

bool HasEnded(const Field& object) {
  static constexpr std::array kLastPhases{"Aborting", "Aborted",     "Completing", "Completed",
                                          "Failed",   "Terminating", "Terminated"};
  const std::string phase = object["status"]["state"]["phase"].Text();
  if (std::ranges::find(kLastPhases, phase) != kLastPhases.end()) return true;
  for (const Field& c : object["status"]["conditions"].Items()) {
    const std::string type = c["type"].Text();
    if ((type == "Complete" || type == "Failed") && c["status"].Text() == "True") return true;
  }
  return object["metadata"]["deletionTimestamp"].present();
}

SubGroupPolicy PolicyOf(const Field& partition, const std::string& role) {
  SubGroupPolicy policy;
  policy.name = role;
  policy.sub_group_size = ToInt32(partition["partitionSize"].Int(1, 1, INT32_MAX));
  policy.min_sub_groups = ToInt32(partition["minPartitions"].Int(0, 0, INT32_MAX));
  policy.selector = LabelSelector{{{"volcano.sh/task-spec", Requirement::Op::kIn, {role}}}};
  policy.match_label_keys = {"volcano.sh/partition-id"};
  policy.network_topology = ReadNetworkTopology(partition["networkTopology"]);
  return policy;
}

PodGroupRecord NewGroup(const ObjectMeta& job, std::string name) {
  PodGroupRecord group;
  group.meta = job;
  group.meta.name = std::move(name);
  group.meta.uid = group.meta.Key();
  group.meta.owner.Edit().uid = job.uid;
  group.meta.owner.Edit().kind = "Job";
  group.meta.owner.Edit().name = job.name;
  group.phase = JobPhase::kPending;
  return group;
}

// What the first `count` pods ask for, taken by task priority: of every task first what it needs at
// least, then the rest.
struct Share {
  std::int32_t priority;
  std::int64_t min_available;
  std::int64_t replicas;
  const ResourceList* request;
};

ResourceList MinResources(std::vector<Share> shares, std::int64_t count) {
  std::ranges::stable_sort(shares,
                           [](const Share& a, const Share& b) { return a.priority > b.priority; });
  ResourceList sum;
  const auto take = [&](const Share& share, std::int64_t available) {
    const std::int64_t n = std::clamp<std::int64_t>(available, 0, count);
    if (n > 0) AddTo(sum, Times(*share.request, n));
    count -= n;
  };
  for (const Share& s : shares) take(s, std::min(s.min_available, s.replicas));
  for (const Share& s : shares) take(s, s.replicas - s.min_available);
  return sum;
}

}  // namespace

std::string GroupNameOf(const ObjectMeta& job, bool has_own_uid) {
  return has_own_uid ? job.name + "-" + job.uid : job.name;
}

bool JobExpander::IsOurs(const std::string& scheduler) const {
  return std::ranges::find(options_.scheduler_names, scheduler) != options_.scheduler_names.end();
}

PodRecord JobExpander::ReadTemplate(const Field& field, const ObjectMeta& job) {
  if (!field.present()) field.Fail("is missing");
  boost::json::object pod = field.Object();
  boost::json::object meta = field["metadata"].Object();
  meta["name"] = job.name;
  pod["metadata"] = std::move(meta);
  const boost::json::value value(std::move(pod));
  PodRecord record = ReadPod(Field(&value, field.path()), constraints_);
  ranges_.GiveTo(record, job.namespace_, ResourcesOf(field["spec"]));
  record.meta.namespace_ = job.namespace_;
  record.meta.creation = job.creation;
  record.meta.deleting = false;
  record.deletion = 0;
  record.meta.owner.Edit().uid = job.uid;
  record.meta.owner.Edit().kind = "Job";
  record.meta.owner.Edit().name = job.name;
  return record;
}

JobExpander::Task JobExpander::ReadTask(const Field& field, std::size_t place,
                                        const ObjectMeta& job) {
  const Field policy = field["template"]["spec"]["preemptionPolicy"];
  Task task{.pod = ReadTemplate(field["template"], job),
            .own_policy = policy.present(),
            .field = field["replicas"]};
  task.role = field["name"].Text();
  if (task.role.empty()) task.role = "default" + std::to_string(place);
  task.replicas = field["replicas"].Int(1, 0, kMaxReplicas);
  task.min_available = field["minAvailable"].Int(task.replicas, 0, INT32_MAX);
  const auto value = classes_.find(task.pod.priority_class);
  if (value != classes_.end()) task.priority = value->second;
  const Field partition = field["partitionPolicy"];
  if (partition.present()) task.partition_size = partition["partitionSize"].Int(1, 1, INT32_MAX);
  return task;
}

void JobExpander::AddPods(const Task& task, const ObjectMeta& job, const PodGroupRecord& group,
                          JobParts& out) const {
  out.made.Ask(task.replicas, task.field);
  for (std::int64_t n = 0; n < task.replicas; ++n) {
    const std::int64_t i = task.indexes.empty() ? n : task.indexes[static_cast<std::size_t>(n)];
    PodRecord pod = task.pod;
    pod.meta.name = job.name + "-" + (task.role.empty() ? "" : task.role + "-") + std::to_string(i);
    pod.meta.uid = pod.meta.namespace_ + "-" + pod.meta.name;
    pod.group = group.meta.name;
    pod.meta.annotations["scheduling.k8s.io/group-name"] = pod.group;
    if (!task.role.empty()) {
      pod.task_role = task.role;
      for (Labels* texts : {&pod.meta.labels.Edit(), &pod.meta.annotations.Edit()}) {
        (*texts)["volcano.sh/job-name"] = job.name;
        (*texts)["volcano.sh/job-namespace"] = job.namespace_;
        (*texts)["volcano.sh/queue-name"] = group.queue;
        (*texts)["volcano.sh/task-spec"] = task.role;
        (*texts)["volcano.sh/task-index"] = std::to_string(i);
      }
      if (task.partition_size > 0)
        pod.meta.labels["volcano.sh/partition-id"] = std::to_string(i / task.partition_size);
    } else {
      pod.meta.labels["job-name"] = pod.meta.labels["batch.kubernetes.io/job-name"] = job.name;
    }
    if (!task.indexes.empty()) {
      for (Labels* texts : {&pod.meta.labels.Edit(), &pod.meta.annotations.Edit()})
        (*texts)["batch.kubernetes.io/job-completion-index"] = std::to_string(i);
    }
    if (task.own_policy) out.own_policy.insert(pod.meta.Key());
    out.made.Add(pod, task.replicas, task.field);
    out.pods.push_back(std::move(pod));
  }
}

// All pods of the job share them: a claim that is there, or one that is made for the job.
void JobExpander::AddVolumes(const Field& volumes, const ObjectMeta& job, std::vector<Task>& tasks,
                             JobParts& out) {
  std::set<std::string> names;
  for (const Field& volume : volumes.Items()) {
    std::string name = volume["volumeClaimName"].Text();
    const Field spec = volume["volumeClaim"];
    if (name.empty() && !spec.present()) volume.Fail("has neither volumeClaimName nor volumeClaim");
    if (name.empty()) name = job.name + "-volume-" + std::to_string(names.size());
    if (!names.insert(name).second) continue;
    for (Task& task : tasks) task.pod.volumes.Edit().claims.push_back({name});
    if (!spec.present()) continue;
    const boost::json::value claim{{"spec", spec.Object()}};
    out.claims.push_back(ClaimFrom(Field(&claim, volume.path()), job.namespace_, name));
    out.claims.back().meta.creation = job.creation;
    out.claims.back().meta.owner = NewGroup(job, name).meta.owner;
  }
}

JobParts JobExpander::ExpandVolcano(const Field& object, const ObjectMeta& job,
                                    const JobContext& context) {
  const Field spec = object["spec"];
  std::string scheduler = spec["schedulerName"].Text();
  if (scheduler.empty()) scheduler = options_.scheduler_names.front();
  std::vector<Task> tasks;
  std::set<std::string> roles;
  std::string name = context.group.empty() ? context.pods_group : context.group;
  if (name.empty()) name = GroupNameOf(job, !object["metadata"]["uid"].Text().empty());
  PodGroupRecord group = NewGroup(job, std::move(name));
  std::int64_t total = 0;
  std::vector<Share> shares;
  for (const Field& field : spec["tasks"].Items()) {
    Task task = ReadTask(field, tasks.size(), job);
    if (field["dependsOn"].present()) {
      warnings_.push_back("Job " + Printable(job.Key()) + ": " + field["dependsOn"].path() +
                          ": is not waited for: the pods of all tasks are made at once");
    }
    if (!roles.insert(task.role).second)
      field["name"].Fail(Printable(task.role) + " appears twice");
    if (!field["template"]["spec"]["schedulerName"].present()) task.pod.scheduler_name = scheduler;
    group.min_task_member[task.role] = ToInt32(task.min_available);
    if (task.partition_size > 0)
      group.sub_group_policies.push_back(PolicyOf(field["partitionPolicy"], task.role));
    total += task.min_available;
    tasks.push_back(std::move(task));
  }
  group.min_member = ToInt32(spec["minAvailable"].Int(total, 0, INT32_MAX));
  group.network_topology = ReadNetworkTopology(spec["networkTopology"]);
  group.queue = spec["queue"].Text();
  if (group.queue.empty()) group.queue = options_.default_queue;
  group.priority_class = spec["priorityClassName"].Text();
  JobParts parts;
  parts.made = context.pods;
  if (HasEnded(object)) return parts;
  if (!context.has_pods) AddVolumes(spec["volumes"], job, tasks, parts);
  for (const Task& task : tasks) {
    shares.push_back({task.priority, task.min_available, task.replicas, &*task.pod.request});
    if (!context.has_pods) AddPods(task, job, group, parts);
  }
  group.min_resources = MinResources(std::move(shares), group.min_member);
  if (context.group.empty() && IsOurs(scheduler)) parts.groups.push_back(std::move(group));
  return parts;
}

JobParts JobExpander::ExpandBatch(const Field& object, const ObjectMeta& job,
                                  const JobContext& context) {
  const Field spec = object["spec"];
  JobParts parts;
  parts.made = context.pods;
  if (context.has_pods || HasEnded(object)) return parts;
  Task task{.pod = ReadTemplate(spec["template"], job),
            .own_policy = spec["template"]["spec"]["preemptionPolicy"].present(),
            .field = spec["parallelism"]};
  const std::int64_t completions = spec["completions"].Int(kMaxReplicas, 0, kMaxReplicas);
  const std::int64_t succeeded = object["status"]["succeeded"].Int(0, 0, kMaxReplicas);
  const std::int64_t wanted = spec["parallelism"].Int(1, 0, kMaxReplicas);
  task.replicas = std::min(wanted, std::max<std::int64_t>(completions - succeeded, 0));
  static constexpr Choices<bool, 2> kModes{{{"Indexed", true}, {"NonIndexed", false}}};
  if (spec["completionMode"].OneOf(kModes, false)) {
    parts.made.Ask(task.replicas, task.field);
    task.indexes = OpenIndexes(object["status"]["completedIndexes"], completions, task.replicas);
    task.replicas = static_cast<std::int64_t>(task.indexes.size());
  }
  if (spec["suspend"].Bool(false)) return parts;
  // A group that the template names is somebody else's to make.
  PodGroupRecord group = NewGroup(job, task.pod.group.empty() ? job.name : task.pod.group);
  const bool needs_group =
      task.pod.group.empty() && context.group.empty() && IsOurs(task.pod.scheduler_name);
  if (!context.group.empty()) group.meta.name = context.group;
  Labels annotations = task.pod.meta.annotations;
  annotations.insert(job.annotations.begin(), job.annotations.end());
  group.min_member = MinMemberOf(annotations, "Job " + job.Key(), warnings_);
  const std::string* queue = FindValue(annotations, "scheduling.volcano.sh/queue-name");
  group.queue = queue == nullptr ? options_.default_queue : *queue;
  group.priority_class = task.pod.priority_class;
  group.min_resources = Times(task.pod.request, group.min_member);
  AddPods(task, job, group, parts);
  if (needs_group) parts.groups.push_back(std::move(group));
  return parts;
}

}  // namespace batholith
