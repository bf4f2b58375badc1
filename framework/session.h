#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/chain.h"
#include "framework/cycle.h"
#include "framework/parallel.h"
#include "framework/pipeline.h"
#include "framework/session_state.h"
#include "framework/slack_guard.h"

namespace batholith {

// Why a task found no node: how many nodes each reason refused.
struct UnfitHistogram {
  struct Entry {
    Unfit unfit;
    const Predicate* source = nullptr;  // whose detail it is; none: the resource fit
    std::int32_t count = 0;
  };
  std::vector<Entry> entries;
  std::int32_t nodes = 0;
  void Add(const Unfit& unfit, const Predicate* source, std::int32_t count = 1);
};

// One scheduling session: a const snapshot, the mutable columns, the compiled chains of plugins,
// and the effects that were committed. Complete when constructed; lives for one RunCycle; one
// thread. The easy mistake: changing columns past a Statement; everything goes through Statement
// (or the action's own admission calls).
class Session {
 public:
  Session(const Snapshot& snapshot, const Pipeline& pipeline, const CycleOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Snapshot& snapshot() const { return snapshot_; }
  const SessionState& state() const { return state_; }
  const Pipeline& pipeline() const { return pipeline_; }
  const CycleOptions& options() const { return options_; }
  const SlackGuard& slack_guard() const { return slack_guard_; }

  // --- order: less = goes first; never equivalent for different indices ---
  std::weak_ordering CompareQueues(QueueIndex a, QueueIndex b) const;
  std::weak_ordering CompareJobs(JobIndex a,
                                 JobIndex b) const;  // of one queue: namespaces count too
  std::weak_ordering CompareTasks(TaskIndex a, TaskIndex b) const;
  // Which victim falls first, for this asker.
  bool VictimFallsBefore(TaskIndex a, TaskIndex b, TaskIndex asker) const;

  // --- verdicts ---
  Unfit ValidateJob(JobIndex job) const;
  bool EnqueueJob(JobIndex job);        // asks, and tells everybody if all said yes; a refusal is
                                        // remembered for the report
  void AdmitWithoutVote(JobIndex job);  // tells everybody; for a group without minResources
  bool JobReady(JobIndex job) const;
  bool JobPipelined(JobIndex job) const;
  bool JobStarving(JobIndex job) const;
  bool Overused(QueueIndex queue) const;
  QueueVerdict Admits(QueueIndex queue, TaskIndex task) const;
  QueueVerdict AdmitsSoon(QueueIndex queue, TaskIndex task) const;
  std::string RefusalText(TaskIndex task) const;  // of the first plugin that does not admit it now
  bool MayReclaim(QueueIndex queue, TaskIndex task) const;
  // `candidates` in the order in which they should fall. Guards and rankers combined.
  std::vector<TaskIndex> PreemptVictims(TaskIndex asker,
                                        std::span<const TaskIndex> candidates) const;
  std::vector<TaskIndex> ReclaimVictims(TaskIndex asker,
                                        std::span<const TaskIndex> candidates) const;
  // True only if no task of the job can be among the victims now; false says nothing.
  bool PreemptSpares(TaskIndex asker, JobIndex job) const;
  bool ReclaimSpares(TaskIndex asker, JobIndex job) const;
  std::vector<TaskIndex> ShuffleVictims() const;
  std::optional<QueueFigures> Figures(QueueIndex queue) const;
  // Who knows the asker's quota; nullptr: it has none, or nobody asks.
  const QuotaVictims* QuotaOf(TaskIndex asker) const;
  void ReportQuotas();
  std::vector<Revocation::Revoked> Revocations();

  // --- nodes ---
  // The verdict of the plugins about one node, then whether any node serves what the task asks for;
  // Prepare first.
  void PreparePredicates(TaskIndex task) const;
  Unfit CheckNode(TaskIndex task, NodeIndex node, const Predicate** source) const;
  // As CheckNode, its hard topology spread aside; and that spread with its counts of now.
  Unfit CheckNodeUnspread(TaskIndex task, NodeIndex node) const;
  std::vector<HardSpread> HardSpreadOf(TaskIndex task) const;
  Dependence DependenceOf(TaskIndex task) const;
  // Of the room that is idle or being released, what is there for the task, see SlackGuard.
  ResourceVector FutureIdleFor(TaskIndex task, NodeIndex node) const {
    return slack_guard_.Left(task, node, state_.future_idle(node));
  }
  // For loops over nodes that ask CheckNode.
  const Workers& workers() const { return workers_; }
  void Score(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores) const;

  JobPhase phase(JobIndex job) const { return phases_[job.value()]; }
  void SetPhase(JobIndex job, JobPhase phase) { phases_[job.value()] = phase; }
  ClassIndex task_class(TaskIndex task) const { return classes_[task.value()]; }
  std::size_t class_count() const { return class_count_; }

  // Remembered for the report.
  void RecordUnfit(TaskIndex task, UnfitHistogram histogram) {
    unfit_[task] = std::move(histogram);
  }
  void RecordQueueRefusal(JobIndex job, const QueueVerdict& why) { queue_refusal_[job] = why; }
  void RecordEnqueueRefusal(JobIndex job, const EnqueueVote& vote) { enqueue_refusal_[job] = vote; }
  const std::map<TaskIndex, UnfitHistogram>& unfit() const { return unfit_; }
  const std::map<JobIndex, QueueVerdict>& queue_refusal() const { return queue_refusal_; }
  const std::map<JobIndex, EnqueueVote>& enqueue_refusal() const { return enqueue_refusal_; }
  void RecordAttempt(JobIndex job, std::int32_t placed) { attempted_[job] = placed; }
  const std::map<JobIndex, std::int32_t>& attempted() const { return attempted_; }
  void AddTrace(PlacementTrace trace) { result_.traces.push_back(std::move(trace)); }
  bool Traced(TaskIndex task);  // true the first time when traces are wanted

  CycleResult& result() { return result_; }
  const CycleResult& result() const { return result_; }
  // Of the sources of result().slack, in their order.
  struct SlackSourceShape {
    ResourceVector size;
    TaskIndex sample;  // a pod that they are like; none: no constraints
    // Labels of nodes that would not help them: their spread lets no more come there.
    std::set<std::pair<std::string, std::string>> closed = {};
  };
  void SetSlackShapes(std::vector<SlackSourceShape> shapes) { slack_shapes_ = std::move(shapes); }
  const std::vector<SlackSourceShape>& slack_shapes() const { return slack_shapes_; }
  void set_action(std::string_view name) { action_ = name; }
  const std::string& action() const { return action_; }

 private:
  friend class Statement;
  template <typename PointClass>
  void Collect(Chain<PointClass>& chain, Plugin* plugin, const Pipeline::PluginEntry& entry,
               std::optional<Point> point);
  void BuildClasses();
  Unfit Served(TaskIndex task) const;
  void Apply(TaskIndex task, TaskStatus status,
             NodeIndex node);  // Statement's way to the columns and observers

  const Snapshot& snapshot_;
  const Pipeline& pipeline_;
  CycleOptions options_;
  Workers workers_;
  SessionState state_;
  SlackGuard slack_guard_;
  std::vector<JobPhase> phases_;
  std::vector<PluginArguments> arguments_;
  std::vector<std::unique_ptr<Plugin>> plugins_;
  struct OrderStep {  // JobOrder and NamespaceOrder of one plugin stand in its place
    const JobOrder* job = nullptr;
    const NamespaceOrder* name_space = nullptr;
  };
  std::vector<OrderStep> job_order_;
  Chain<QueueOrder> queue_order_;
  Chain<TaskOrder> task_order_;
  Chain<JobValid> job_valid_;
  Chain<JobEnqueueable> job_enqueueable_;
  Chain<JobAdmitted> job_admitted_;
  Chain<batholith::JobReady> job_ready_;
  Chain<batholith::JobPipelined> job_pipelined_;
  Chain<batholith::JobStarving> job_starving_;
  Chain<Predicate> predicates_;
  Chain<NodeOrder> node_order_;
  Chain<Preemptable> preemptable_;
  Chain<Reclaimable> reclaimable_;
  Chain<QueueAdmission> overused_, allocatable_, preemptive_;
  Chain<QueueShare> queue_share_;
  Chain<QuotaVictims> quota_victims_;
  Chain<QuotaReport> quota_report_;
  Chain<Revocation> revocation_;
  Chain<VictimQueueOrder> victim_queue_order_;
  Chain<VictimTasks> victim_tasks_;
  Chain<AllocationObserver> observers_;
  Chain<TaskSignature> signatures_;
  std::vector<ClassIndex> classes_;
  std::size_t class_count_ = 0;
  std::map<TaskIndex, UnfitHistogram> unfit_;
  std::map<JobIndex, QueueVerdict> queue_refusal_;
  std::map<JobIndex, EnqueueVote> enqueue_refusal_;
  std::map<JobIndex, std::int32_t> attempted_;
  std::vector<bool> traced_;
  std::vector<SlackSourceShape> slack_shapes_;
  CycleResult result_;
  std::string action_;
};

}  // namespace batholith
