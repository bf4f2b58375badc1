#include "cache/snapshot_builder.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cache/buffers.h"
#include "cache/empty_nodes.h"
#include "cache/flaws.h"
#include "cache/group_bundles.h"
#include "cache/group_members.h"
#include "cache/job_reader.h"
#include "cache/match_policy.h"
#include "cache/node_reader.h"
#include "cache/node_shard.h"
#include "cache/ordered.h"
#include "cache/placement_needs.h"
#include "cache/pod_facts.h"
#include "cache/schema.h"
#include "cache/task_reader.h"
#include "cache/total.h"

namespace batholith {
namespace {

constexpr std::string_view kWeightKey = "volcano.sh/namespace.weight";
constexpr std::string_view kQueueOfNamespace = "scheduling.volcano.sh/queue-name";

class Builder {
 public:
  Builder(std::shared_ptr<const ClusterObjects> objects, const SnapshotOptions& options)
      : snapshot_(std::make_shared<Snapshot>()),
        tables_(std::make_unique<SnapshotTables>(*objects, options)),
        objects_(*objects),
        members_(objects_, options.scheduler_names),
        bundles_(objects_),
        task_reader_(*snapshot_, *tables_),
        job_reader_(*snapshot_, *tables_) {
    snapshot_->objects = std::move(objects);
    snapshot_->amounts = tables_->amounts;
    snapshot_->now = options.now;
  }

  BuiltSnapshot Build() {
    snapshot_->buffers = FindBuffers(objects_);
    SchemaChoice choice = ChooseSchema(objects_, tables_->options.node_resources);
    snapshot_->schema = std::move(choice.schema);
    snapshot_->notices = std::move(choice.notices);
    AddNodes();
    AddQueues();
    AddNamespaces();
    tables_->namespaces_of_their_own = snapshot_->namespaces.size();
    AddJobs();
    AddTasks();
    FinishJobs();
    HoldWhatIsUnread(*snapshot_);
    if (any_needs_ || tables_->mark_counts.Any(PodMark::kNeeds))
      HoldWhatIsUnmet(tables_->options, *snapshot_);
    tables_->foreign = AddTotal(*snapshot_);
    tables_->own_notices = snapshot_->notices.size();
    tables_->minimums.Tell(*snapshot_);
    return {std::move(snapshot_), std::move(tables_)};
  }

 private:
  void AddNodes() {
    for (const std::size_t i : Ordered(objects_.nodes)) {
      const NodeRecord& node = objects_.nodes[i];
      if (!IsInScope(node, tables_->options.scope)) continue;
      tables_->nodes.emplace(node.meta.name, NodeIndex(snapshot_->nodes.size()));
      snapshot_->nodes.push_back(ReadNode(node, *snapshot_, *tables_));
    }
    MarkShard(tables_->options.scope, *snapshot_);
  }

  void AddQueues() {
    for (const std::size_t i : Ordered(objects_.queues)) {
      const QueueRecord& queue = objects_.queues[i];
      tables_->queues.emplace(queue.meta.name, QueueIndex(snapshot_->queues.size()));
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
    return NamespaceNamed(name, *snapshot_, *tables_);
  }

  void AddNamespaces() {
    for (const std::size_t i : Ordered(objects_.namespaces)) {
      const NamespaceIndex index = Namespace(objects_.namespaces[i].meta.name);
      const ObjectMeta& meta = objects_.namespaces[i].meta;
      snapshot_->namespaces[index.value()].labels = meta.labels;
      const auto queue = meta.annotations.find(kQueueOfNamespace);
      if (queue == meta.annotations.end()) continue;
      tables_->queue_of_namespace[meta.name] = queue->second;
      if (!tables_->queues.contains(queue->second))
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
    JobFacts facts = job_reader_.Read(group, std::move(key), queue, tables_->notes.emplace_back());
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
    snapshot_->base_classes = tables_->classes.size();
    const PodMarkCounts& counts = tables_->mark_counts;
    snapshot_->volumes_matter = counts.Any(PodMark::kWaitsForVolumes);
    snapshot_->devices_matter =
        counts.Any(PodMark::kWaitsForDevices) && GivesDevices(tables_->options);
    snapshot_->requests_unnamed = counts.Any(PodMark::kUnnamed);
  }

  // What asks for something that no node serves has no sample.
  void AddSamples() {
    for (BufferFacts& buffer : snapshot_->buffers) {
      const PodRecord* pod = TemplateOf(buffer);
      if (pod == nullptr) continue;
      TaskFacts facts = task_reader_.Read(*pod);
      if (facts.unserved) continue;
      buffer.sample = TaskIndex(snapshot_->tasks.size());
      facts.sample = true;
      facts.node = {};
      facts.status = TaskStatus::kSucceeded;
      facts.foreign = false;
      PutTask(*pod, facts);
    }
  }

  void AddTask(const PodRecord& pod) {
    TaskFacts facts = task_reader_.Read(pod);
    if (!facts.foreign && FindJobOf(pod)) {
      facts.job = last_job_;
      JobFacts& job = snapshot_->jobs[last_job_.value()];
      const bool bundle = !job.record->starts_with.empty();
      job_reader_.Join(pod, TaskIndex(snapshot_->tasks.size()),
                       bundle ? std::optional(PartOf(pod)) : std::nullopt, job, facts);
    }
    PutTask(pod, facts);
  }

  void PutTask(const PodRecord& pod, const TaskFacts& facts) {
    const PodMarks marks = MarksOf(pod, facts);
    tables_->marks.push_back(marks);
    tables_->mark_counts.Add(marks);
    snapshot_->tasks.push_back(facts);
  }

  std::uint32_t PartOf(const PodRecord& pod) const {
    const auto it = part_index_.find(pod.meta.namespace_ + "/" + pod.group);
    return it == part_index_.end() ? 0 : it->second;
  }

  bool FindJobOf(const PodRecord& pod) {
    if (pod.group.empty()) return false;
    if (last_joined_ != nullptr && last_joined_->group == pod.group &&
        last_joined_->meta.namespace_ == pod.meta.namespace_)
      return true;
    const std::string key = pod.meta.namespace_ + "/" + pod.group;
    auto it = job_index_.find(key);
    const bool alone = it == job_index_.end() && pod.group.contains('@');
    if (alone) it = job_index_.find(key + "/" + pod.meta.name);
    if (it == job_index_.end()) return false;
    last_job_ = it->second;
    last_joined_ = alone ? nullptr : &pod;
    return true;
  }

  void FinishJobs() {
    if (members_.has_gangs()) ApplyMatchPolicies(*snapshot_);
    EmptyNodes empty(*snapshot_, tables_->fits_empty_node);
    for (JobFacts& job : snapshot_->jobs) {
      if (job.roles.empty()) job.roles.push_back({"", 0});
      job.fits_nowhere = empty.FitsNowhere(job);
    }
  }

  std::shared_ptr<Snapshot> snapshot_;
  std::unique_ptr<SnapshotTables> tables_;
  const ClusterObjects& objects_;
  const GroupMembers members_;
  const GroupBundles bundles_;
  TaskReader task_reader_;
  JobReader job_reader_;
  std::unordered_map<std::string, JobIndex> job_index_;        // looked up only
  std::unordered_map<std::string, std::uint32_t> part_index_;  // of bundles: their sub-jobs
  bool any_needs_ = false;  // a group asks for what this build does not do
  const PodRecord* last_joined_ = nullptr;
  JobIndex last_job_;  // that it joined
};

}  // namespace

BuiltSnapshot BuildSnapshotAndTables(std::shared_ptr<const ClusterObjects> objects,
                                     const SnapshotOptions& options) {
  return Builder(std::move(objects), options).Build();
}

std::shared_ptr<const Snapshot> BuildSnapshot(std::shared_ptr<const ClusterObjects> objects,
                                              const SnapshotOptions& options) {
  return BuildSnapshotAndTables(std::move(objects), options).snapshot;
}

}  // namespace batholith
