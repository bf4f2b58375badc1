#pragma once

#include <optional>
#include <span>
#include <vector>

#include "framework/session.h"

namespace batholith {

// Who may be asked to leave, in the order of Chains::VictimFallsBefore: queue by queue, job by
// job, task by task. The jobs of a queue and namespace are kept sorted; only those whose tasks
// moved are put into their place anew, since nobody else's rank changes within it (as JobQueue has
// it). Lives for one action.
class VictimOrder {
 public:
  struct Victim {
    TaskIndex task;
    NodeIndex node;
    const ResourceVector* request = nullptr;  // equal requests are the same object
  };
  struct Ranked {
    JobIndex job;
    std::int32_t priority = 0;
  };
  struct Lane {
    NamespaceIndex name_space;
    std::vector<Ranked> jobs;         // first to fall first
    std::vector<std::int32_t> least;  // lowest priority from each job on
  };

  explicit VictimOrder(const Session& session);

  // Takes note of what moved since the last call.
  void Refresh();
  // Jobs of the queue that have victims.
  std::span<const Lane> LanesOf(QueueIndex queue);
  // Tasks of the job that are preemptable and held a node when the action began, first to fall
  // first. What has happened to them since is not looked at.
  std::span<const Victim> VictimsOf(JobIndex job);
  // The most that one victim on the node asks for.
  std::int64_t LargestOn(NodeIndex node, std::size_t resource);

  const Session& session() const { return session_; }

 private:
  bool IsVictim(TaskIndex task) const;
  bool FallsBefore(JobIndex a, JobIndex b) const { return session_.chains().CompareJobs(a, b) > 0; }
  void Build(QueueIndex queue);
  static std::int32_t LeastAt(const Lane& lane, std::size_t i);
  static void KeepLeast(Lane& lane, std::size_t from);

  const Session& session_;
  const Snapshot& snapshot_;
  std::size_t cursor_;                                       // into the session's log of moves
  std::vector<std::optional<std::vector<Lane>>> lanes_;      // by QueueIndex, once asked for
  std::vector<std::optional<std::vector<Victim>>> victims_;  // by JobIndex, once asked for
  std::vector<const ResourceVector*> request_of_class_;      // by base class
  std::vector<ResourceVector> largest_;                      // by NodeIndex, once asked for
};

// One way through the jobs of a queue, in an order that must not be refreshed meanwhile. Whatever
// is tried out on the session must be undone before the next step.
class VictimWalk {
 public:
  VictimWalk(VictimOrder& order, QueueIndex queue);

  JobIndex Next();  // none: no more
  // No job that is still to come has a lower priority.
  std::int32_t LeastPriorityLeft() const;

 private:
  struct Head {
    const VictimOrder::Lane* lane = nullptr;
    std::size_t next = 0;
  };
  bool FallsAfter(const Head& a, const Head& b) const;

  const Session* session_;
  std::vector<Head> heads_;  // a heap, first to fall on top
};

}  // namespace batholith
