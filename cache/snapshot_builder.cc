#include "cache/snapshot_builder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "api/label_match.h"
#include "cache/buffers.h"
#include "cache/empty_nodes.h"
#include "cache/flaws.h"
#include "cache/minimums.h"
#include "cache/placement_needs.h"
#include "cache/pod_facts.h"
#include "cache/schema.h"

namespace batholith {
namespace {

constexpr std::string_view kWeightKey = "volcano.sh/namespace.weight";
constexpr std::string_view kQueueOfNamespace = "scheduling.volcano.sh/queue-name";

// Places of `records` in (creation time, uid) order.
template <typename Record>
std::vector<std::size_t> Ordered(const std::vector<Record>& records) {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](std::size_t a, std::size_t b) {
    const ObjectMeta& ma = records[a].meta;
    const ObjectMeta& mb = records[b].meta;
    if (ma.creation != mb.creation) return ma.creation < mb.creation;
    if (ma.uid != mb.uid) return ma.uid < mb.uid;
    return ma.Key() < mb.Key();
  };
  // As a rule objects come in the order in which they were made.
  if (!std::ranges::is_sorted(order, before)) std::ranges::stable_sort(order, before);
  return order;
}

class Builder {
 public:
  Builder(std::shared_ptr<const ClusterObjects> objects, const SnapshotOptions& options)
      : options_(options), snapshot_(std::make_shared<Snapshot>()), objects_(*objects) {
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
    ReadPriorityClasses();
    AddJobs();
    AddTasks();
    FinishJobs();
    HoldWhatIsUnread(*snapshot_);
    if (any_needs_) HoldWhatIsUnmet(options_.ignored, *snapshot_);
    AddTotal();
    minimums_.Tell(*snapshot_);
    return snapshot_;
  }

 private:
  void AddNodes() {
    for (const std::size_t i : Ordered(objects_.nodes)) {
      const NodeRecord& node = objects_.nodes[i];
      node_index_.emplace(node.meta.name, NodeIndex(snapshot_->nodes.size()));
      NodeFacts facts;
      facts.record = &node;
      facts.allocatable = amounts_->Intern(snapshot_->ToVector(node.allocatable));
      facts.usable = node.ready && !node.unschedulable;
      for (const Taint& taint : node.taints) {
        if (taint.key == "node.kubernetes.io/not-ready" ||
            taint.key == "node.kubernetes.io/unreachable") {
          facts.usable = false;
        }
      }
      snapshot_->nodes.push_back(facts);
    }
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

  // A group that names no queue, or the default one, goes to the one that its namespace names.
  const std::string& QueueOf(const PodGroupRecord& group) const {
    if (!group.queue.empty() && group.queue != options_.default_queue) return group.queue;
    const auto own = queue_of_namespace_.find(group.meta.namespace_);
    return own == queue_of_namespace_.end() ? options_.default_queue : own->second;
  }

  void AddJobs() {
    for (const std::size_t i : Ordered(objects_.pod_groups)) {
      const PodGroupRecord& group = objects_.pod_groups[i];
      JobFacts facts;
      facts.record = &group;
      any_needs_ = any_needs_ || !group.needs.empty();
      facts.key = group.meta.Key();
      if (const auto it = queue_index_.find(QueueOf(group)); it != queue_index_.end())
        facts.queue = it->second;
      facts.namespace_ = Namespace(group.meta.namespace_);
      facts.priority = PriorityOf(group.priority_class);
      facts.min_available = group.min_member;
      for (const auto& [role, min] : group.min_task_member) {
        facts.roles.push_back({role, min});
        facts.role_min_total = static_cast<std::int32_t>(
            std::min<std::int64_t>(std::int64_t{facts.role_min_total} + min, INT32_MAX));
      }
      facts.sub_jobs.push_back({"", -1, group.sub_group_policies.empty() ? group.min_member : 1});
      if (group.min_resources) minimums_.Read(*group.min_resources, *snapshot_, *amounts_, facts);
      const JobIndex index(snapshot_->jobs.size());
      job_index_.emplace(facts.key, index);
      if (!facts.queue.is_none()) snapshot_->queues[facts.queue.value()].jobs.push_back(index);
      snapshot_->jobs.push_back(std::move(facts));
    }
  }

  void ReadPriorityClasses() {
    for (const PriorityClassRecord& c : objects_.priority_classes) {
      priorities_.emplace(c.meta.name, c.value);
      if (c.global_default) default_priority_ = c.value;
    }
  }

  std::int32_t PriorityOf(const std::string& priority_class) const {
    const auto it = priorities_.find(priority_class);
    return it == priorities_.end() ? default_priority_ : it->second;
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

  // Pods of one job are alike as a rule, and come one after another. True: what ReadRequest and
  // ClassOf look at is the same.
  bool IsLikeLast(const PodRecord& pod) const {
    if (last_.record == nullptr) return false;
    const PodRecord& last = *last_.record;
    return pod.request == last.request && pod.unnamed_cpu == last.unnamed_cpu &&
           pod.unnamed_memory == last.unnamed_memory && pod.constraints == last.constraints &&
           (!snapshot_->labels_matter ||
            (pod.meta.namespace_ == last.meta.namespace_ && pod.meta.labels == last.meta.labels));
  }

  void ReadRequest(const PodRecord& pod, TaskFacts& facts) {
    // So that sums of a few absurd requests stay exact, and what is taken off again comes off
    // whole.
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
    if (!like_last) {
      const auto it = job_index_.find(pod.meta.namespace_ + "/" + pod.group);
      if (it == job_index_.end()) return;
      last_job_ = it->second;
      last_joined_ = &pod;
    }
    facts.job = last_job_;
    JobFacts& job = snapshot_->jobs[last_job_.value()];
    job.tasks.push_back(index);
    // Such a group names the class of its pod, where the pod has one.
    if (job.record->made_for_pod && job.record->priority_class.empty())
      job.priority = pod.priority.value_or(job.priority);
    const auto role = std::ranges::find(job.roles, pod.task_role, &RoleFacts::name);
    facts.role = static_cast<std::uint32_t>(role - job.roles.begin());
    if (role == job.roles.end()) job.roles.push_back({pod.task_role, 0});
    facts.sub_job = SubJobOf(pod, job);
  }

  // The first policy whose selector and label keys match; the tuple of label values names the
  // sub-job. Source: spec.subGroupPolicy of Volcano's PodGroup.
  static std::uint32_t SubJobOf(const PodRecord& pod, JobFacts& job) {
    const std::vector<SubGroupPolicy>& policies = job.record->sub_group_policies;
    for (std::size_t p = 0; p < policies.size(); ++p) {
      if (policies[p].selector && !MatchesSelector(policies[p].selector, pod.meta.labels)) continue;
      std::string name = policies[p].name;
      bool all = true;
      for (const std::string& key : policies[p].match_label_keys) {
        const auto label = pod.meta.labels.find(key);
        all = all && label != pod.meta.labels.end();
        if (all) name += "/" + label->second;
      }
      if (!all) continue;
      for (std::size_t s = 0; s < job.sub_jobs.size(); ++s) {
        if (job.sub_jobs[s].name == name) return static_cast<std::uint32_t>(s);
      }
      job.sub_jobs.push_back({name, static_cast<std::int32_t>(p), policies[p].sub_group_size});
      return static_cast<std::uint32_t>(job.sub_jobs.size() - 1);
    }
    return 0;
  }

  ClassIndex ClassOf(const PodRecord& pod, const TaskFacts& facts) {
    std::string key;
    for (std::size_t r = 0; r < snapshot_->schema.size(); ++r) {
      key += std::to_string(facts.request[r]);
      key += ',';
    }
    // Its amounts too: GPU memory is computed from what no node may have any more.
    if (facts.unserved) {
      for (const auto& [name, amount] : pod.request) {
        const auto place = amount > 0 ? snapshot_->uncounted.Find(name) : std::nullopt;
        if (place) key += '\x1d' + std::to_string(*place) + '=' + std::to_string(amount);
      }
    }
    if (pod.unnamed_cpu != 0 || pod.unnamed_memory != 0)
      key += '\x1c' + std::to_string(pod.unnamed_cpu) + ',' + std::to_string(pod.unnamed_memory);
    key += pod.constraints->signature;
    if (snapshot_->labels_matter) {
      key += '\x1e' + pod.meta.namespace_;
      for (const auto& [name, value] : pod.meta.labels) key += '\x1e' + name + '=' + value;
    }
    return class_index_.try_emplace(std::move(key), ClassIndex(class_index_.size())).first->second;
  }

  void FinishJobs() {
    EmptyNodes empty(*snapshot_);
    for (JobFacts& job : snapshot_->jobs) {
      if (job.roles.empty()) job.roles.push_back({"", 0});
      job.fits_nowhere = empty.FitsNowhere(job);
    }
  }

  void AddTotal() {
    std::vector<bool> counted(snapshot_->nodes.size(), false);
    for (std::size_t n = 0; n < snapshot_->nodes.size(); ++n) {
      if (!snapshot_->nodes[n].usable) continue;
      snapshot_->total += snapshot_->nodes[n].allocatable;
      counted[n] = true;
    }
    ResourceVector foreign;
    for (const TaskFacts& task : snapshot_->tasks) {
      if (task.node.is_none() || !HoldsAllocation(task.status)) continue;
      if (!counted[task.node.value()]) snapshot_->total += task.request;
      if (task.foreign) foreign += task.request;
    }
    snapshot_->shared = (snapshot_->total - foreign).ClampedAtZero();
  }

  SnapshotOptions options_;
  std::shared_ptr<Snapshot> snapshot_;
  std::shared_ptr<ResourcePool> amounts_ = std::make_shared<ResourcePool>();
  const ClusterObjects& objects_;
  std::unordered_map<std::string, NodeIndex> node_index_;  // looked up only
  std::unordered_map<std::string, QueueIndex> queue_index_;
  std::unordered_map<std::string, NamespaceIndex> namespace_index_;
  std::unordered_map<std::string, std::string> queue_of_namespace_;
  std::unordered_map<std::string, JobIndex> job_index_;
  std::unordered_map<std::string, ClassIndex> class_index_;
  std::unordered_map<std::string, std::int32_t> priorities_;
  std::int32_t default_priority_ = 0;
  Minimums minimums_;
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
