#include "cache/snapshot_builder.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "cache/buffers.h"
#include "cache/class_key.h"
#include "cache/empty_nodes.h"
#include "cache/flaws.h"
#include "cache/group_bundles.h"
#include "cache/group_members.h"
#include "cache/match_policy.h"
#include "cache/minimums.h"
#include "cache/node_shard.h"
#include "cache/ordered.h"
#include "cache/placement_needs.h"
#include "cache/pod_facts.h"
#include "cache/priority_classes.h"
#include "cache/schema.h"
#include "cache/sub_jobs.h"
#include "cache/total.h"

namespace batholith {
namespace {

constexpr std::string_view kWeightKey = "volcano.sh/namespace.weight";
constexpr std::string_view kQueueOfNamespace = "scheduling.volcano.sh/queue-name";

class Builder {
 public:
  Builder(std::shared_ptr<const ClusterObjects> objects, const SnapshotOptions& options)
      : options_(options),
        snapshot_(std::make_shared<Snapshot>()),
        objects_(*objects),
        members_(objects_, options_.scheduler_names),
        bundles_(objects_),
        priorities_(objects_.priority_classes) {
    snapshot_->objects = std::move(objects);
    snapshot_->amounts = amounts_;
    snapshot_->now = options.now;
  }

  std::shared_ptr<const Snapshot> Build() {
    snapshot_->buffers = FindBuffers(objects_);
    SchemaChoice choice = ChooseSchema(objects_, options_.node_resources);
    snapshot_->schema = std::move(choice.schema);
    snapshot_->notices = std::move(choice.notices);
    AddNodes();
    AddQueues();
    AddNamespaces();
    AddJobs();
    AddTasks();
    FinishJobs();
    HoldWhatIsUnread(*snapshot_);
    if (any_needs_) HoldWhatIsUnmet(options_.ignored, *snapshot_);
    AddTotal(*snapshot_);
    minimums_.Tell(*snapshot_);
    return snapshot_;
  }

 private:
  void AddNodes() {
    for (const std::size_t i : Ordered(objects_.nodes)) {
      const NodeRecord& node = objects_.nodes[i];
      if (!IsInScope(node, options_.scope)) continue;
      node_index_.emplace(node.meta.name, NodeIndex(snapshot_->nodes.size()));
      NodeFacts facts;
      facts.record = &node;
      facts.allocatable = amounts_->Intern(snapshot_->ToVector(node.allocatable));
      facts.usable = node.ready && !node.unschedulable;
      for (const Taint& taint : node.taints) {
        if (taint.key == "node.kubernetes.io/not-ready" ||
            taint.key == "node.kubernetes.io/unreachable")
          facts.usable = false;
      }
      snapshot_->nodes.push_back(facts);
    }
    MarkShard(options_.scope, *snapshot_);
  }

  void AddQueues() {
    for (const std::size_t i : Ordered(objects_.queues)) {
      const QueueRecord& queue = objects_.queues[i];
      queue_index_.emplace(queue.meta.name, QueueIndex(snapshot_->queues.size()));
      QueueFacts facts;
      facts.record = &queue;
      for (const auto& [name, amount] : queue.capability) {
        const std::optional<std::size_t> r = snapshot_->schema.Find(name);
        if (r && (amount > 0 || *r > ResourceSchema::kMemory)) facts.capability[*r] = amount;
      }
      facts.guarantee = snapshot_->ToVector(queue.guarantee);
      facts.deserved = snapshot_->ToVector(queue.deserved);
      facts.reclaimable = queue.reclaimable.value_or(true);
      snapshot_->queues.push_back(std::move(facts));
    }
  }

  NamespaceIndex Namespace(const std::string& name) {
    const auto [it, added] =
        namespace_index_.try_emplace(name, NamespaceIndex(snapshot_->namespaces.size()));
    if (added) snapshot_->namespaces.push_back({name, {}, 1});
    return it->second;
  }

  void AddNamespaces() {
    for (const std::size_t i : Ordered(objects_.namespaces)) {
      const NamespaceIndex index = Namespace(objects_.namespaces[i].meta.name);
      const ObjectMeta& meta = objects_.namespaces[i].meta;
      snapshot_->namespaces[index.value()].labels = meta.labels;
      const auto queue = meta.annotations.find(kQueueOfNamespace);
      if (queue == meta.annotations.end()) continue;
      queue_of_namespace_[meta.name] = queue->second;
      if (!queue_index_.contains(queue->second))
        snapshot_->notices.push_back("Namespace " + meta.name + ": metadata.annotations." +
                                     std::string(kQueueOfNamespace) + ": there is no queue " +
                                     queue->second + ", so groups without a queue wait");
    }
    std::map<std::string, std::string> weighed_by;  // names of quotas, by namespace
    for (const ResourceQuotaRecord& quota : objects_.resource_quotas) {
      const auto it = quota.hard.find(kWeightKey);
      if (it == quota.hard.end()) continue;
      std::string& names = weighed_by[quota.meta.namespace_];
      names += (names.empty() ? "" : ", ") + quota.meta.name;
      // A quota counts names that it does not know in thousandths; a weight is a whole number.
      const std::int64_t weight = it->second / ResourceScale(kWeightKey);
      NamespaceFacts& facts = snapshot_->namespaces[Namespace(quota.meta.namespace_).value()];
      facts.weight = std::max(facts.weight, weight);
    }
    for (const auto& [name, quotas] : weighed_by) {
      if (!quotas.contains(',')) continue;
      snapshot_->notices.push_back(
          "Namespace " + name + ": several ResourceQuotas give it a weight (" + quotas +
          "): the highest counts, " +
          std::to_string(snapshot_->namespaces[Namespace(name).value()].weight));
    }
  }

  // What names no queue, or the default one, goes to the one that its namespace names.
  const std::string& QueueOf(const std::string& named, const std::string& namespace_) const {
    if (!named.empty() && named != options_.default_queue) return named;
    const auto own = queue_of_namespace_.find(namespace_);
    return own == queue_of_namespace_.end() ? options_.default_queue : own->second;
  }

  void AddJobs() {
    for (const std::size_t i : Ordered(objects_.pod_groups)) {
      const PodGroupRecord& group = objects_.pod_groups[i];
      any_needs_ = any_needs_ || !group.needs.empty();
      if (group.api == GroupApi::kVolcano) {
        AddJob(group, group.meta.Key(), group.queue);
      } else if (const GroupBundle* bundle = bundles_.Of(group)) {
        AddBundle(*bundle);
      } else {
        AddForeignGroup(group);
      }
    }
  }

  JobFacts& AddJob(const PodGroupRecord& group, std::string key, const std::string& queue) {
    JobFacts facts;
    facts.record = &group;
    facts.key = std::move(key);
    const std::string& name = QueueOf(queue, group.meta.namespace_);
    if (group.api != GroupApi::kVolcano) facts.queue_name = name;
    if (const auto it = queue_index_.find(name); it != queue_index_.end()) facts.queue = it->second;
    facts.namespace_ = Namespace(group.meta.namespace_);
    facts.priority = group.priority.value_or(priorities_.Of(group.priority_class));
    facts.min_available = group.min_member;
    for (const auto& [role, min] : group.min_task_member) {
      facts.roles.push_back({role, min});
      facts.role_min_total += std::min(std::max(min, 0), INT32_MAX - facts.role_min_total);
    }
    facts.sub_jobs.push_back({"", -1, group.sub_group_policies.empty() ? group.min_member : 1});
    if (group.min_resources) minimums_.Read(*group.min_resources, *snapshot_, *amounts_, facts);
    const JobIndex index(snapshot_->jobs.size());
    job_index_.emplace(facts.key, index);
    if (!facts.queue.is_none()) snapshot_->queues[facts.queue.value()].jobs.push_back(index);
    return snapshot_->jobs.emplace_back(std::move(facts));
  }

  // Of policy basic each pod is a job of its own. Where the group keeps them together it is a gang
  // of at least one.
  void AddForeignGroup(const PodGroupRecord& group) {
    const std::string queue = members_.QueueOf(group);
    const std::string hold = members_.HoldOf(group);
    const bool basic = group.api == GroupApi::kKubernetes && group.min_member == 0;
    if (!basic || group.network_topology) {
      JobFacts& job = AddJob(group, group.Identity(), queue);
      job.held = hold;
      if (basic) job.min_available = job.sub_jobs.front().min_available = 1;
      return;
    }
    for (const PodRecord* pod : members_.Ours(group)) {
      JobFacts& job = AddJob(group, group.Identity() + "/" + pod->meta.name, queue);
      job.min_available = 1;
      job.sub_jobs.front().min_available = 1;
      job.held = hold;
    }
  }

  // One job for all of its parts.
  void AddBundle(const GroupBundle& bundle) {
    if (job_index_.contains(bundle.parts.front()->Identity())) return;
    std::string queue = members_.QueueOf(*bundle.record);
    std::string hold = bundle.held;
    for (const PodGroupRecord* part : bundle.parts) {
      if (queue.empty()) queue = members_.QueueOf(*part);
      if (hold.empty()) hold = members_.HoldOf(*part);
    }
    const JobIndex index(snapshot_->jobs.size());
    JobFacts& job = AddJob(*bundle.record, bundle.record->Identity(), queue);
    job.held = std::move(hold);
    for (std::size_t p = 0; p < bundle.parts.size(); ++p) {
      const PodGroupRecord* part = bundle.parts[p];
      SubJobFacts& facts = job.sub_jobs.emplace_back(part->Identity(), bundle.policies[p],
                                                     std::max(part->min_member, 1));
      if (part->network_topology) facts.topology = &*part->network_topology;
      job_index_.emplace(part->Identity(), index);
      part_index_.emplace(part->Identity(), static_cast<std::uint32_t>(job.sub_jobs.size() - 1));
    }
    snapshot_->bundles.push_back(bundle.record);
  }

  void AddTasks() {
    const auto asks = [&](const PodRecord& pod) { return AsksForLabels(*pod.constraints); };
    snapshot_->labels_matter = std::ranges::any_of(objects_.pods, asks);
    for (const BufferFacts& buffer : snapshot_->buffers) {
      const PodRecord* pod = TemplateOf(buffer);
      if (pod != nullptr && asks(*pod)) snapshot_->labels_matter = true;
    }
    snapshot_->tasks.reserve(objects_.pods.size());
    for (const std::size_t i : Ordered(objects_.pods)) AddTask(objects_.pods[i]);
    AddSamples();
    snapshot_->base_classes = class_index_.size();
  }

  // What asks for something that no node serves has no sample.
  void AddSamples() {
    for (BufferFacts& buffer : snapshot_->buffers) {
      const PodRecord* pod = TemplateOf(buffer);
      if (pod == nullptr) continue;
      TaskFacts facts = FactsOf(*pod);
      if (facts.unserved) continue;
      buffer.sample = TaskIndex(snapshot_->tasks.size());
      facts.sample = true;
      facts.node = {};
      facts.status = TaskStatus::kSucceeded;
      snapshot_->tasks.push_back(std::move(facts));
    }
  }

  void AddTask(const PodRecord& pod) {
    TaskFacts facts = FactsOf(pod);
    const auto& ours = options_.scheduler_names;
    facts.foreign = std::ranges::find(ours, pod.scheduler_name) == ours.end();
    if (!facts.foreign && !pod.volumes->empty() && facts.status == TaskStatus::kPending)
      snapshot_->volumes_matter = true;
    if (!facts.foreign) JoinJob(pod, facts, TaskIndex(snapshot_->tasks.size()));
    snapshot_->tasks.push_back(std::move(facts));
  }

  TaskFacts FactsOf(const PodRecord& pod) {
    TaskFacts facts;
    if (IsLikeLast(pod)) {
      facts.request = last_.request;
      facts.best_effort = last_.best_effort;
      facts.unserved = last_.unserved;
      facts.base_class = last_.base_class;
    } else {
      ReadRequest(pod, facts);
      facts.base_class = ClassOf(pod, facts);
      last_ = facts;
    }
    facts.record = &pod;
    any_needs_ = any_needs_ || !pod.needs.empty();
    if (const auto it = node_index_.find(pod.node_name); it != node_index_.end())
      facts.node = it->second;
    if (const auto it = node_index_.find(pod.nominated_node); it != node_index_.end())
      facts.nominated = it->second;
    if (pod.unnamed_cpu != 0 || pod.unnamed_memory != 0) snapshot_->requests_unnamed = true;
    ReadOwnFacts(pod, facts);
    return facts;
  }

  // Pods of one job come one after another. True: ReadRequest and ClassOf look at the same.
  bool IsLikeLast(const PodRecord& pod) const {
    if (last_.record == nullptr) return false;
    const PodRecord& last = *last_.record;
    return pod.request == last.request && pod.unnamed_cpu == last.unnamed_cpu &&
           pod.unnamed_memory == last.unnamed_memory && pod.constraints == last.constraints &&
           (!snapshot_->labels_matter ||
            (pod.meta.namespace_ == last.meta.namespace_ && pod.meta.labels == last.meta.labels));
  }

  void ReadRequest(const PodRecord& pod, TaskFacts& facts) {
    // So that sums of a few absurd requests stay exact, and come off whole again.
    constexpr std::int64_t kMostOfOne = std::int64_t{1} << 58;
    facts.record = &pod;
    facts.best_effort = true;
    ResourceVector request;
    for (const auto& [name, amount] : pod.request) {
      facts.best_effort = facts.best_effort && amount == 0;
      if (const auto r = snapshot_->schema.Find(name)) {
        request[*r] = std::min(amount, kMostOfOne);
      } else if (amount > 0) {
        facts.unserved = true;
        snapshot_->uncounted.Add(name);
      }
    }
    request[ResourceSchema::kPods] = 1;
    facts.request = amounts_->Intern(request);
  }

  void JoinJob(const PodRecord& pod, TaskFacts& facts, TaskIndex index) {
    if (pod.group.empty()) return;
    const bool like_last = last_joined_ != nullptr && last_joined_->group == pod.group &&
                           last_joined_->meta.namespace_ == pod.meta.namespace_;
    if (!like_last && !FindJobOf(pod)) return;
    facts.job = last_job_;
    JobFacts& job = snapshot_->jobs[last_job_.value()];
    job.tasks.push_back(index);
    const PodGroupRecord& group = *job.record;
    // Such a group names the class of its pod, where the pod has one.
    if (group.made_for_pod && group.priority_class.empty())
      job.priority = pod.priority.value_or(job.priority);
    const auto role = std::ranges::find(job.roles, pod.task_role, &RoleFacts::name);
    facts.role = static_cast<std::uint32_t>(role - job.roles.begin());
    if (role == job.roles.end()) job.roles.push_back({pod.task_role, 0});
    facts.sub_job = group.starts_with.empty() ? sub_jobs_.Join(pod, job) : PartOf(pod);
    if (group.api != GroupApi::kVolcano) JoinForeignGroup(pod, job, facts);
  }

  std::uint32_t PartOf(const PodRecord& pod) const {
    const auto it = part_index_.find(pod.meta.namespace_ + "/" + pod.group);
    return it == part_index_.end() ? 0 : it->second;
  }

  bool FindJobOf(const PodRecord& pod) {
    const std::string key = pod.meta.namespace_ + "/" + pod.group;
    auto it = job_index_.find(key);
    const bool alone = it == job_index_.end() && pod.group.contains('@');
    if (alone) it = job_index_.find(key + "/" + pod.meta.name);
    if (it == job_index_.end()) return false;
    last_job_ = it->second;
    last_joined_ = alone ? nullptr : &pod;
    return true;
  }

  ClassIndex ClassOf(const PodRecord& pod, const TaskFacts& facts) {
    return class_index_
        .try_emplace(ClassKey(pod, facts, *snapshot_), ClassIndex(class_index_.size()))
        .first->second;
  }

  void FinishJobs() {
    if (members_.has_gangs()) ApplyMatchPolicies(*snapshot_);
    EmptyNodes empty(*snapshot_);
    for (JobFacts& job : snapshot_->jobs) {
      if (job.roles.empty()) job.roles.push_back({"", 0});
      job.fits_nowhere = empty.FitsNowhere(job);
    }
  }

  SnapshotOptions options_;
  std::shared_ptr<Snapshot> snapshot_;
  std::shared_ptr<ResourcePool> amounts_ = std::make_shared<ResourcePool>();
  const ClusterObjects& objects_;
  const GroupMembers members_;
  const GroupBundles bundles_;
  std::unordered_map<std::string, NodeIndex> node_index_;  // looked up only
  std::unordered_map<std::string, QueueIndex> queue_index_;
  std::unordered_map<std::string, NamespaceIndex> namespace_index_;
  std::unordered_map<std::string, std::string> queue_of_namespace_;
  std::unordered_map<std::string, JobIndex> job_index_;
  std::unordered_map<std::string, std::uint32_t> part_index_;  // of bundles: their sub-jobs
  std::unordered_map<std::string, ClassIndex> class_index_;
  const PriorityClasses priorities_;
  Minimums minimums_;
  SubJobs sub_jobs_;
  bool any_needs_ = false;  // a pod or a group asks for what this build does not do
  TaskFacts last_;          // of the last pod whose request and class were read
  const PodRecord* last_joined_ = nullptr;
  JobIndex last_job_;  // that it joined
};

}  // namespace

std::shared_ptr<const Snapshot> BuildSnapshot(std::shared_ptr<const ClusterObjects> objects,
                                              const SnapshotOptions& options) {
  return Builder(std::move(objects), options).Build();
}

}  // namespace batholith
