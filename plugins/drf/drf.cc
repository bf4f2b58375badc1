#include "plugins/drf/drf.h"

#include <optional>

#include "api/resource_table.h"
#include "framework/describe_plugin.h"
#include "plugins/common/promises.h"
#include "plugins/common/running_sums.h"
#include "plugins/drf/hierarchy.h"
#include "plugins/drf/share.h"

namespace batholith {
namespace {

constexpr double kEqual = 1e-6;  // shares closer than this let a job preempt

class Drf final : public Plugin,
                  public JobOrder,
                  public NamespaceOrder,
                  public QueueOrder,
                  public Preemptable,
                  public Reclaimable,
                  public JobAdmitted,
                  public AllocationObserver {
 public:
  explicit Drf(const PluginContext& context)
      : snapshot_(context.snapshot),
        state_(context.state),
        phases_(context.job_phase),
        dims_(context.snapshot.schema.size()),
        namespaces_on_(context.points.Has(Point::kNamespaceOrder)),
        job_allocated_(context.snapshot.jobs.size(), dims_),
        job_share_(context.snapshot.jobs.size()),
        namespace_allocated_(context.snapshot.queues.size() * context.snapshot.namespaces.size(),
                             dims_) {
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) {
      const ResourceVector allocated = context.state.job_allocated(JobIndex(j));
      job_allocated_.Set(j, allocated);
      job_share_[j] = DominantShare(allocated, snapshot_.total, dims_);
      if (const auto namespace_ = NamespaceOf(JobIndex(j)))
        namespace_allocated_.Add(*namespace_, allocated);
    }
    if (!context.points.Has(Point::kHierarchy)) return;
    job_request_ = ResourceTable(snapshot_.jobs.size(), dims_);
    for (const TaskFacts& task : snapshot_.tasks) {
      if (!task.job.is_none()) job_request_.Add(task.job.value(), task.request);
    }
    tree_.emplace(snapshot_, job_allocated_, job_request_);
  }

  std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const override {
    const Share& sa = job_share_[a.value()];
    const Share& sb = job_share_[b.value()];
    if (Share::Less(sa, 1, sb, 1)) return std::weak_ordering::less;
    if (Share::Less(sb, 1, sa, 1)) return std::weak_ordering::greater;
    return std::weak_ordering::equivalent;
  }

  std::weak_ordering CompareNamespaces(QueueIndex queue, NamespaceIndex a,
                                       NamespaceIndex b) const override {
    const Share sa = DominantShare(Used(queue, a), snapshot_.total, dims_);
    const Share sb = DominantShare(Used(queue, b), snapshot_.total, dims_);
    const std::int64_t wa = snapshot_.namespaces[a.value()].weight;
    const std::int64_t wb = snapshot_.namespaces[b.value()].weight;
    if (Share::Less(sa, wa, sb, wb)) return std::weak_ordering::less;
    if (Share::Less(sb, wb, sa, wa)) return std::weak_ordering::greater;
    return std::weak_ordering::equivalent;
  }

  std::weak_ordering CompareQueues(QueueIndex a, QueueIndex b) const override {
    return tree_ ? tree_->CompareQueues(a, b) : std::weak_ordering::equivalent;
  }

  VictimRole PreemptRole() const override { return VictimRole::kRanker; }
  Victims PreemptVictims(TaskIndex preemptor, std::span<const TaskIndex> candidates) const override;

  // Only the tree decides between queues.
  VictimRole ReclaimRole() const override { return VictimRole::kRanker; }
  Victims ReclaimVictims(TaskIndex reclaimer,
                         std::span<const TaskIndex> candidates) const override {
    if (!tree_) return std::nullopt;
    const JobIndex job = snapshot_.task(reclaimer).job;
    DrfTree tree = *tree_;
    tree.Add(job, snapshot_.task(reclaimer).request, 1);
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const JobIndex victim = snapshot_.task(t).job;
      if (snapshot_.job(victim).queue == snapshot_.job(job).queue) {  // no matter between queues
        victims.push_back(t);
        continue;
      }
      tree.Add(victim, snapshot_.task(t).request, -1);
      if (tree.CompareQueues(snapshot_.job(job).queue, snapshot_.job(victim).queue) < 0) {
        victims.push_back(t);
      }
      tree.Add(victim, snapshot_.task(t).request, 1);
    }
    return victims;
  }

  // So that namespaces, jobs and queues of a tree get their shares of what is admitted, however
  // long the backlog is.
  void OnAdmission(bool open) override {
    if (open) promised_ = ResourceTable(snapshot_.jobs.size(), dims_);
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) {
      const JobIndex job(j);
      if (open) promised_.Set(j, StillPromised(snapshot_, state_, phases_[j], job));
      const ResourceVector promised = promised_[j];
      if (promised != ResourceVector()) Hold(job, promised, open ? 1 : -1);
    }
    if (tree_) tree_.emplace(snapshot_, job_allocated_, RequestsWhile(open));
  }
  void OnJobAdmitted(JobIndex job) override {
    promised_.Set(job.value(), StillToCome(snapshot_, state_, job));
    Hold(job, promised_[job.value()], 1);
    if (tree_) tree_->Add(job, promised_[job.value()], 1);
  }

  void OnAllocate(TaskIndex task, NodeIndex) override { Count(task, 1); }
  void OnDeallocate(TaskIndex task, NodeIndex) override { Count(task, -1); }

 private:
  // Rows of namespace_allocated_.
  std::size_t RowOf(QueueIndex queue, NamespaceIndex namespace_) const {
    return queue.value() * snapshot_.namespaces.size() + namespace_.value();
  }
  std::optional<std::size_t> NamespaceOf(JobIndex job) const {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.queue.is_none()) return std::nullopt;
    return RowOf(facts.queue, facts.namespace_);
  }
  ResourceRow Used(QueueIndex queue, NamespaceIndex namespace_) const {
    return namespace_allocated_[RowOf(queue, namespace_)];
  }

  // Pods of a group come, where a controller makes them, once it is admitted: until then its
  // minimum stands for them.
  ResourceTable RequestsWhile(bool admitting) const {
    ResourceTable requests = job_request_;
    for (std::size_t j = 0; admitting && j < snapshot_.jobs.size(); ++j) {
      if (snapshot_.jobs[j].tasks.empty()) requests.Set(j, PromisedTo(snapshot_, JobIndex(j)));
    }
    return requests;
  }

  void Count(TaskIndex task, int sign) {
    const JobIndex job = snapshot_.task(task).job;
    if (job.is_none()) return;
    const ResourceVector& request = snapshot_.task(task).request;
    Hold(job, request, sign);
    if (tree_) tree_->Add(job, request, sign);
  }

  void Hold(JobIndex job, const ResourceVector& amount, int sign) {
    const auto namespace_ = NamespaceOf(job);
    if (sign > 0) {
      job_allocated_.Add(job.value(), amount);
      if (namespace_) namespace_allocated_.Add(*namespace_, amount);
    } else {
      job_allocated_.Subtract(job.value(), amount);
      if (namespace_) namespace_allocated_.Subtract(*namespace_, amount);
    }
    job_share_[job.value()] = DominantShare(job_allocated_[job.value()], snapshot_.total, dims_);
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  std::span<const JobPhase> phases_;
  std::size_t dims_;
  bool namespaces_on_;
  ResourceTable job_allocated_;  // pipelined tasks count too
  ResourceTable promised_;       // by job, and in the above while jobs are admitted
  ResourceTable job_request_;    // where there is a tree
  std::vector<Share> job_share_;
  ResourceTable namespace_allocated_;  // [queue][namespace]
  std::optional<DrfTree> tree_;
};

// Namespaces of the queue are compared first, by share and weight after the exchange; where they do
// not decide, the jobs' shares do. What is taken counts only for tasks that are taken.
Victims Drf::PreemptVictims(TaskIndex preemptor, std::span<const TaskIndex> candidates) const {
  const TaskFacts& own = snapshot_.task(preemptor);
  const JobFacts& job = snapshot_.job(own.job);
  const auto share = [&](const ResourceVector& used) {
    return DominantShare(used, snapshot_.total, dims_).value();
  };
  const auto weight = [&](NamespaceIndex n) {
    return static_cast<double>(snapshot_.namespaces[n.value()].weight);
  };
  const double job_after = share(*own.request + job_allocated_[own.job.value()]);
  double namespace_after = 0;
  if (namespaces_on_ && !job.queue.is_none()) {
    namespace_after =
        share(*own.request + Used(job.queue, job.namespace_)) / weight(job.namespace_);
  }
  RunningSums<JobIndex> jobs_left;
  RunningSums<NamespaceIndex> namespaces_left;
  std::vector<TaskIndex> victims;
  for (const TaskIndex t : candidates) {
    const TaskFacts& facts = snapshot_.task(t);
    const JobFacts& victim_job = snapshot_.job(facts.job);
    const NamespaceIndex namespace_ = victim_job.namespace_;
    std::optional<bool> verdict;
    if (namespaces_on_ && namespace_ != job.namespace_ && victim_job.queue == job.queue &&
        !job.queue.is_none()) {
      const ResourceVector after =
          namespaces_left.Of(namespace_, Used(job.queue, namespace_)) - facts.request;
      const double theirs = share(after) / weight(namespace_);
      if (namespace_after < theirs) verdict = true;
      if (namespace_after - theirs > kEqual) verdict = false;
    }
    if (!verdict) {
      const double theirs =
          share(jobs_left.Of(facts.job, job_allocated_[facts.job.value()]) - facts.request);
      verdict = job_after < theirs || job_after - theirs <= kEqual;
    }
    if (!*verdict) continue;
    jobs_left.Of(facts.job, job_allocated_[facts.job.value()]) -= facts.request;
    if (!job.queue.is_none())
      namespaces_left.Of(namespace_, Used(job.queue, namespace_)) -= facts.request;
    victims.push_back(t);
  }
  return victims;
}

}  // namespace

PluginDescriptor DrfPlugin() {
  return DescribePlugin<Drf>({
      .name = "drf",
      .summary = "orders jobs and namespaces by dominant resource share",
      .points = {Point::kHierarchy},
      .only_in_tree = {Point::kQueueOrder, Point::kReclaimable},
      .ranks = {Point::kPreemptable, Point::kReclaimable},
      .tree_excludes = "proportion",
  });
}

}  // namespace batholith
