#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/chain.h"
#include "framework/node_checks.h"
#include "framework/parallel.h"
#include "framework/pipeline.h"
#include "framework/quota_owner.h"
#include "framework/session_state.h"
#include "framework/shortfall.h"
#include "framework/slack_guard.h"
#include "framework/topology_owner.h"

namespace batholith {

// The plugins of one session, chained by extension point, and the one answer that each chain gives
// (combine.h). Owned by the session, like what it is built on. The plugins read the columns at any
// time; only OnJobAdmitted, OnMoved and a revocation of quotas change what they know.
class Chains {
 public:
  Chains(const Snapshot& snapshot, const SessionState& state, const Pipeline& pipeline,
         const SlackGuard& slack_guard, const Workers& workers);

  // --- order: less = goes first; never equivalent for different indices ---
  std::weak_ordering CompareQueues(QueueIndex a, QueueIndex b) const;
  // Of jobs of one queue: their namespaces count too.
  std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const;
  // The same as far as plugins tell jobs apart: equivalent where only their age would.
  std::weak_ordering RankJobs(JobIndex a, JobIndex b) const;
  std::weak_ordering CompareTasks(TaskIndex a, TaskIndex b) const;
  // Which victim falls first, for this preemptor.
  bool VictimFallsBefore(TaskIndex a, TaskIndex b, TaskIndex preemptor) const;

  // --- jobs and queues ---
  Unfit ValidateJob(JobIndex job) const;
  // A rejection with its reason, or a permission; after that tell everybody.
  EnqueueVote EnqueueJob(JobIndex job) const;
  void OnJobAdmitted(JobIndex job);
  // Around the questions of one action; see JobAdmitted.
  void OnAdmission(bool open);
  // Of a job that was admitted in an earlier session and still waits.
  void TellIfHeldBack(JobIndex job);
  bool JobReady(JobIndex job) const;
  // Ready, pods that ask for nothing and wait not counted.
  bool JobWhole(JobIndex job) const;
  bool JobPipelined(JobIndex job) const;
  bool JobStarving(JobIndex job) const;
  bool Overused(QueueIndex queue) const;
  QueueVerdict Admits(QueueIndex queue, TaskIndex task) const;
  QueueVerdict AdmitsSoon(QueueIndex queue, TaskIndex task) const;
  // All that keeps AdmitsSoon from admitting the task; see ShortfallSource. False: that is not all.
  bool AddShortfalls(QueueIndex queue, TaskIndex task, std::vector<Shortfall>& out) const;
  // How much a task counts in what a refusal of a queue's limit adds up, base units.
  std::int64_t WeightIn(const QueueVerdict& refusal, TaskIndex task) const;
  bool MayReclaim(QueueIndex queue, TaskIndex task) const;
  std::optional<QueueFigures> Figures(QueueIndex queue) const;

  // --- victims ---
  // `candidates` in the order in which they should fall. Guards and rankers combined.
  std::vector<TaskIndex> PreemptVictims(TaskIndex preemptor,
                                        std::span<const TaskIndex> candidates) const;
  std::vector<TaskIndex> ReclaimVictims(TaskIndex preemptor,
                                        std::span<const TaskIndex> candidates) const;
  // True only if no task of the job can be among the victims of whoever has no quota, until one of
  // its tasks moves; false says nothing.
  bool PreemptSpares(JobIndex job) const;
  bool ReclaimSpares(JobIndex job) const;
  // The same of this preemptor, now.
  bool PreemptSparesFrom(TaskIndex preemptor, JobIndex job) const;
  // The same of one who has a quota, or has none; now.
  bool PreemptSpares(TaskIndex preemptor, JobIndex job) const;
  bool ReclaimSpares(TaskIndex preemptor, JobIndex job) const;
  // The plugins that spare some of the candidates, in the order of the conf.
  std::vector<std::string_view> WhoSparesFromPreempt(TaskIndex preemptor,
                                                     std::span<const TaskIndex> candidates) const;
  std::vector<std::string_view> WhoSparesFromReclaim(TaskIndex preemptor,
                                                     std::span<const TaskIndex> candidates) const;
  // At most so many tasks of the job may fall now.
  std::int32_t MostToPreempt(TaskIndex preemptor, JobIndex job) const;
  std::int32_t MostToReclaim(TaskIndex preemptor, JobIndex job) const;
  // Whether a plugin sees to it that every job keeps its minimum.
  bool PreemptSparesMinimums() const;
  bool ReclaimSparesMinimums() const;
  std::vector<TaskIndex> ShuffleVictims() const;

  // --- quotas that cut across queues ---
  // Who owns them; nullptr: no plugin does.
  const QuotaOwner* quotas() const { return quotas_; }
  QuotaOwner* quotas() { return quotas_; }
  // The same for a task that has one; nullptr: it has none.
  const QuotaOwner* QuotaOf(TaskIndex task) const;

  // --- which nodes are close to each other ---
  // Who owns that; nullptr: no plugin does, so that no job with a hard topology is served.
  const TopologyOwner* topology() const { return topology_; }
  TopologyOwner* topology() { return topology_; }

  // --- nodes ---
  // What checks nodes for the task's class, as the session stands now; ClassChecks keeps it.
  NodeChecks ChecksFor(TaskIndex task) const;
  Dependence DependenceOf(TaskIndex task) const;
  bool ScoresAround(TaskIndex task) const;  // scores alone make it depend on the cluster
  std::optional<FillStyle> PreferredFill() const;
  void Score(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores);
  // Whether ScoreRows can be asked: every plugin scores the task's nodes by their columns.
  bool ScoresRows(TaskIndex task) const;
  // As Score, of rows that the task fits into; what it adds to others says nothing.
  void ScoreRows(TaskIndex task, const NodeRows& rows, std::span<double> scores);
  // As Score in two steps: as far as nothing of other nodes is needed, and what comes after that.
  void ScoreAlone(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores);
  void ScoreRest(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores);

  // --- what tells tasks apart; nobody: only their base class ---
  bool signs() const;
  void Sign(TaskIndex task, std::string& out) const;

  // The task has got a place on the node, or is about to lose it.
  void OnMoved(TaskIndex task, NodeIndex node, bool holds);
  // What is to be written for its claims before it is bound.
  std::vector<VolumeChoice> VolumesOf(TaskIndex task) const;
  std::vector<DeviceChoice> DevicesOf(TaskIndex task) const;

 private:
  struct OrderStep {  // JobOrder and NamespaceOrder of one plugin stand in its place
    const JobOrder* job = nullptr;
    const NamespaceOrder* namespace_ = nullptr;
  };
  bool IsGuaranteed(JobIndex job) const;
  void ScoreShard(std::span<const NodeIndex> nodes, std::span<double> scores) const;
  void ScoreBy(const NodeOrder& plugin, TaskIndex task, std::span<const NodeIndex> nodes,
               std::span<double> scores) const;
  bool IsSurplusForQuotas(TaskIndex preemptor, JobIndex job) const;
  template <typename PointClass, typename Ask>
  Victims WithSurplus(const PointClass& plugin, TaskIndex preemptor,
                      std::span<const TaskIndex> candidates, Ask ask) const;
  Victims AnswerOf(const Preemptable& plugin, TaskIndex preemptor,
                   std::span<const TaskIndex> candidates) const;
  Victims AnswerOf(const Reclaimable& plugin, TaskIndex preemptor,
                   std::span<const TaskIndex> candidates) const;
  void Add(Plugin* plugin, const Pipeline::PluginEntry& entry);
  template <typename PointClass>
  void AddTo(Chain<PointClass>& chain, Plugin* plugin, const Pipeline::PluginEntry& entry,
             std::optional<Point> point = std::nullopt);

  const Snapshot& snapshot_;
  const Workers& workers_;
  std::vector<std::unique_ptr<Plugin>> plugins_;
  std::vector<OrderStep> job_order_;
  Chain<QueueOrder> queue_order_;
  Chain<TaskOrder> task_order_;
  Chain<JobValid> job_valid_;
  Chain<JobEnqueueable> job_enqueueable_;
  Chain<JobGuaranteed> job_guaranteed_;
  Chain<JobAdmitted> job_admitted_;
  Chain<batholith::JobReady> job_ready_;
  Chain<batholith::JobPipelined> job_pipelined_;
  Chain<batholith::JobStarving> job_starving_;
  Chain<Predicate> predicates_;
  Chain<NodeOrder> node_order_;
  Chain<NodeFill> node_fill_;
  Chain<Preemptable> preemptable_;
  Chain<Reclaimable> reclaimable_;
  Chain<QueueAdmission> overused_, allocatable_, preemptive_;
  Chain<QueueShare> queue_share_;
  Chain<VictimQueueOrder> victim_queue_order_;
  Chain<VictimTasks> victim_tasks_;
  Chain<AllocationObserver> observers_;
  Chain<TaskSignature> signatures_;
  QuotaOwner* quotas_ = nullptr;
  TopologyOwner* topology_ = nullptr;
};

}  // namespace batholith
