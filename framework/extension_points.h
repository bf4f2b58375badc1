#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/ids.h"
#include "api/reason.h"
#include "api/resource_vector.h"
#include "framework/node_check.h"

// One abstract class per extension point; the first line says how the answers of several plugins
// combine. A plugin class inherits the points that it implements; conf switches (`Point`) can turn
// each off.
namespace batholith {

struct DeviceChoice;
class NodeRows;
struct VolumeChoice;

enum class Vote : std::int8_t { kReject = -1, kAbstain = 0, kPermit = 1 };

// Whether an answer about a node can change by what happens on other nodes.
enum class Dependence : std::uint8_t {
  kNode,     // the task's class and that node's own state only
  kCluster,  // where other tasks run, or the set of nodes asked about (normalised scores)
};

class QueueOrder {  // Combine: first decisive, then creation time, then uid. less = goes first.
 public:
  virtual std::weak_ordering CompareQueues(QueueIndex a, QueueIndex b) const = 0;

 protected:
  ~QueueOrder() = default;
};

class NamespaceOrder {  // Combine: as JobOrder, in its plugin's place; asked only for two
                        // namespaces of one queue.
 public:
  virtual std::weak_ordering CompareNamespaces(QueueIndex queue, NamespaceIndex a,
                                               NamespaceIndex b) const = 0;

 protected:
  ~NamespaceOrder() = default;
};

class JobOrder {  // Combine: first decisive, then creation time, then uid.
 public:
  virtual std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const = 0;

 protected:
  ~JobOrder() = default;
};

class TaskOrder {  // Combine: first decisive, then number at the end of the name, creation time,
                   // uid.
 public:
  virtual std::weak_ordering CompareTasks(TaskIndex a, TaskIndex b) const = 0;

 protected:
  ~TaskOrder() = default;
};

class JobValid {  // Combine: first refusal. Has no switch.
 public:
  virtual Unfit ValidateJob(JobIndex job) const = 0;

 protected:
  ~JobValid() = default;
};

struct EnqueueVote {
  Vote vote = Vote::kAbstain;
  Unfit why = {};                // of a rejection
  std::uint32_t short_dims = 0;  // bit per dimension that is short
  QueueIndex queue = {};         // whose limit; none: of the job's own queue
  std::string short_names = {};  // of a namespace's quotas: all of it, in words
  // Of the first dimension that is short, in base units; asked 0: not told.
  std::int64_t held = 0;
  std::int64_t asked = 0;
  std::int64_t limit = 0;
  std::string limit_from = {};  // what the limit comes from, in words, where nobody wrote it down
};

class JobEnqueueable {  // Combine: first tier that votes; any reject rejects; nobody voting means
                        // yes. Switch kJobEnqueued.
 public:
  virtual EnqueueVote EnqueueJob(JobIndex job) const = 0;
  // The same of a job that has a right to its share and was rejected: it need not wait until the
  // cluster has room for it, since others have to give it back.
  virtual EnqueueVote EnqueueGuaranteed(JobIndex job) const { return EnqueueJob(job); }

 protected:
  ~JobEnqueueable() = default;
};

class JobGuaranteed {  // Combine: any. Has no switch.
 public:
  // Whether the job has a right to what it asks for, with what those before it hold and were
  // promised: others have to give it back. REQUIRES: the job has minResources.
  virtual bool IsGuaranteed(JobIndex job) const = 0;

 protected:
  ~JobGuaranteed() = default;
};

// By a limit of what; of several the last one counts.
enum class HeldBack : std::uint8_t { kNot, kByQueue, kByQuota };

class JobAdmitted {  // Combine: all are told, after everybody said yes. Switch kJobEnqueued, of
                     // those that vote.
 public:
  virtual void OnJobAdmitted(JobIndex job) = 0;
  // While jobs are admitted, orders count what admitted jobs are still to get as if they held it.
  virtual void OnAdmission(bool open) { (void)open; }
  // Asked about each job in turn that an earlier session admitted and that still waits: whether a
  // limit that it knows gives the job no place now, whatever room there is, with what those asked
  // about before it may have.
  virtual HeldBack HoldsBack(JobIndex job) const {
    (void)job;
    return HeldBack::kNot;
  }
  // Some plugin does: what was promised to the job keeps nobody out who has another such limit.
  virtual void OnHeldBack(JobIndex job, HeldBack by) { (void)job, (void)by; }
  // No plugin does: the job counts before those that are asked about next.
  virtual void OnPromised(JobIndex job) { (void)job; }

 protected:
  ~JobAdmitted() = default;
};

class JobReady {  // Combine: all.
 public:
  virtual bool IsJobReady(JobIndex job) const = 0;
  // As IsJobReady, but pods that ask for nothing count only once they have a place.
  virtual bool IsJobWhole(JobIndex job) const { return IsJobReady(job); }

 protected:
  ~JobReady() = default;
};

class JobPipelined {  // Combine: as JobEnqueueable.
 public:
  virtual Vote IsJobPipelined(JobIndex job) const = 0;

 protected:
  ~JobPipelined() = default;
};

class JobStarving {  // Combine: all, in the first tier that has one; nobody means no.
 public:
  virtual bool IsJobStarving(JobIndex job) const = 0;

 protected:
  ~JobStarving() = default;
};

class Predicate {  // Combine: a node must pass all; the first refusal is recorded.
 public:
  // What checks nodes for the task's class, as the session stands now; nullptr: refuses no node.
  virtual std::unique_ptr<NodeCheck> Prepare(TaskIndex task) const = 0;
  virtual Dependence PredicateDependence(TaskIndex task) const {
    (void)task;
    return Dependence::kNode;
  }
  // The text for `detail` of an Unfit of this plugin.
  virtual std::string DetailText(const Unfit& unfit) const {
    (void)unfit;
    return {};
  }

 protected:
  ~Predicate() = default;
};

class NodeOrder {  // Combine: sum, added in plugin order in doubles; equal means equal doubles;
                   // ties to the lowest index.
 public:
  // False: it scores no task of the session, and is not asked.
  virtual bool ScoresTasks() const { return true; }
  // Adds this plugin's weighted score of nodes[i] to scores[i], as far as it needs nothing of other
  // nodes. Several threads may ask at once, about different nodes.
  virtual void Score(TaskIndex task, std::span<const NodeIndex> nodes,
                     std::span<double> scores) const = 0;
  // Then adds what needs all the nodes that are in question. One thread asks; what is found out
  // about a class may be kept.
  virtual void ScoreTogether(TaskIndex task, std::span<const NodeIndex> nodes,
                             std::span<double> scores) {
    (void)task, (void)nodes, (void)scores;
  }
  // Whether the task can have its nodes scored by their columns: ScoreRows adds what Score adds, of
  // nodes that the task fits into, and something of others.
  virtual bool ScoresRows(TaskIndex /*task*/) const { return false; }
  virtual void ScoreRows(TaskIndex /*task*/, const NodeRows& /*rows*/,
                         std::span<double> /*scores*/) const {}
  virtual Dependence ScoreDependence(TaskIndex task) const {
    (void)task;
    return Dependence::kNode;
  }

 protected:
  ~NodeOrder() = default;
};

// Guards say who may not be touched: intersected whatever their tier. Those that count (so many of
// a job, of a budget, of a queue's room) are asked after the plain ones, so that nothing is spent
// on tasks that others spare. Rankers say who deserves it more: of them the first tier in which one
// answers counts. An empty answer is final; abstaining (nullopt) is no vote; nobody answering: no
// victims. What is said of a candidate depends on none that comes later. Asked about the very tasks
// that a plan takes, an answer that holds all of them lets them fall together.
enum class VictimRole : std::uint8_t { kGuard, kCountingGuard, kRanker };
using Victims =
    std::optional<std::vector<TaskIndex>>;  // a subset of the candidates, in their order

class Preemptable {  // Combine: guards and rankers.
 public:
  virtual Victims PreemptVictims(TaskIndex preemptor,
                                 std::span<const TaskIndex> candidates) const = 0;
  virtual VictimRole PreemptRole() const = 0;
  // True only if PreemptVictims would answer now, and without any task of this job, whoever asked
  // and whoever else were a candidate: the search need not ask about them. It is kept until a task
  // of the job moves, so it depends on nothing else that moves. False says nothing.
  virtual bool PreemptSpares(JobIndex job) const {
    (void)job;
    return false;
  }
  // The same of what this preemptor asks; it is asked anew for each.
  virtual bool PreemptSparesFrom(TaskIndex preemptor, JobIndex job) const {
    (void)preemptor, (void)job;
    return false;
  }
  // Whether it leaves every job its minimum, so that nobody else has to see to it.
  virtual bool SparesMinimums() const { return false; }
  // At most so many tasks of the job may fall now, whichever. Of guards only.
  virtual std::int32_t MostOf(JobIndex job) const {
    (void)job;
    return INT32_MAX;
  }

 protected:
  ~Preemptable() = default;
};

class Reclaimable {  // Combine: guards and rankers.
 public:
  virtual Victims ReclaimVictims(TaskIndex reclaimer,
                                 std::span<const TaskIndex> candidates) const = 0;
  virtual VictimRole ReclaimRole() const = 0;
  virtual bool ReclaimSpares(JobIndex job) const {  // as PreemptSpares
    (void)job;
    return false;
  }
  virtual bool SparesMinimums() const { return false; }  // as Preemptable
  virtual std::int32_t MostOf(JobIndex job) const {      // as Preemptable
    (void)job;
    return INT32_MAX;
  }

 protected:
  ~Reclaimable() = default;
};

class QueueAdmission;

// Whether a queue takes a task; if not, why, in base units as they stood when it was asked.
struct QueueVerdict {
  Unfit why;              // of a limit: detail = resource index
  QueueIndex queue = {};  // whose rule it is: an ancestor, perhaps; none: the queue that was asked
  std::int64_t held = 0;
  std::int64_t asked = 0;
  std::int64_t limit = 0;

  // For whoever puts it into words. The chain fills in who refused and whom; `rule` and `place`
  // mean what the plugin wants them to.
  const QueueAdmission* source = nullptr;
  TaskIndex task = {};
  std::uint32_t rule = 0;
  std::uint32_t place = 0;

  bool ok() const { return why.ok(); }
  bool operator==(const QueueVerdict&) const = default;
};

class QueueAdmission {  // Combine: overused: any (kOverused); admits, now or soon: all
                        // (kAllocatable); may reclaim: all (kPreemptive).
 public:
  virtual bool Overused(QueueIndex queue) const {
    (void)queue;
    return false;
  }
  virtual QueueVerdict Admits(QueueIndex queue, TaskIndex task) const {
    (void)queue;
    (void)task;
    return {};
  }
  // As Admits, of a place that is reserved: what is leaving counts as gone.
  virtual QueueVerdict AdmitsSoon(QueueIndex queue, TaskIndex task) const {
    return Admits(queue, task);
  }
  virtual bool MayReclaim(QueueIndex queue, TaskIndex task) const {
    (void)queue;
    (void)task;
    return true;
  }
  // A refusal of this plugin for a person; empty: the usual text will do.
  virtual std::string RefusalText(const QueueVerdict& refusal) const {
    (void)refusal;
    return {};
  }
  // How much the task counts in what `refusal` adds up, base units; nullopt: its request.
  virtual std::optional<std::int64_t> WeightIn(const QueueVerdict& refusal, TaskIndex task) const {
    (void)refusal;
    (void)task;
    return std::nullopt;
  }

 protected:
  ~QueueAdmission() = default;
};

struct QueueFigures {
  ResourceVector deserved;
  double share = 0;
};

enum class FillStyle : std::uint8_t { kPack, kSpread };

class NodeFill {  // Combine: packing, if anybody packs; else spreading; nobody says nothing. Has no
                  // switch.
 public:
  // Whether it would rather fill the nodes up one after another, or all alike.
  virtual FillStyle PreferredFill() const = 0;

 protected:
  ~NodeFill() = default;
};

class QueueShare {  // Combine: single owner.
 public:
  virtual std::optional<QueueFigures> Figures(QueueIndex queue) const = 0;

 protected:
  ~QueueShare() = default;
};

class VictimQueueOrder {  // Combine: first that decides; else the queue that would be served last
                          // goes first.
 public:
  virtual std::weak_ordering CompareVictimQueues(QueueIndex a, QueueIndex b,
                                                 QueueIndex for_queue) const = 0;

 protected:
  ~VictimQueueOrder() = default;
};

class VictimTasks {  // Combine: union inside a tier; first tier with any (action shuffle). Switch
                     // kVictim.
 public:
  virtual std::vector<TaskIndex> ShuffleVictims() const = 0;

 protected:
  ~VictimTasks() = default;
};

class AllocationObserver {  // Combine: all are told, conf order; undo tells them too. Has no
                            // switch.
 public:
  // The task has just got (or lost) a place: status is Allocated or Pipelined, or back to Running
  // after an undone eviction; OnDeallocate: it is about to be Pending or Releasing. Called after
  // the columns changed.
  virtual void OnAllocate(TaskIndex task, NodeIndex node) = 0;
  virtual void OnDeallocate(TaskIndex task, NodeIndex node) = 0;
  // Adds what is to be written for the task's claims before it is bound where it stands.
  virtual void AddVolumes(TaskIndex task, std::vector<VolumeChoice>& out) const {
    (void)task, (void)out;
  }
  virtual void AddDevices(TaskIndex task, std::vector<DeviceChoice>& out) const {
    (void)task, (void)out;
  }

 protected:
  ~AllocationObserver() = default;
};

class TaskSignature {  // Combine: appended. Tasks of equal signature (and base class) form one task
                       // class.
 public:
  virtual void Sign(TaskIndex task, std::string& out) const = 0;
  // False: it signs no task of this session.
  virtual bool Signs() const { return true; }

 protected:
  ~TaskSignature() = default;
};

}  // namespace batholith
