#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "framework/session.h"

namespace batholith {

// Who may be asked to leave by preempt, in the order of Chains::VictimFallsBefore: rank by rank,
// and of jobs of one rank task by task. The jobs of a queue and namespace are kept in ranks; only
// those whose tasks moved are put into their place anew, since nobody else's rank changes within
// them (as JobQueue has it). Lives for one action; VictimWalk goes through it.
class VictimOrder {
 public:
  struct Victim {
    TaskIndex task;
    JobIndex job;
    NodeIndex node;
    std::uint32_t place = 0;  // among all of the queue, task by task: first to fall first
    const ResourceVector* request = nullptr;  // equal requests are the same object
  };
  // Jobs that no plugin tells apart, at least one.
  struct Rank {
    std::vector<JobIndex> jobs;  // if `heaped`, a heap by the first task of each that still stands
    bool heaped = false;
    std::int32_t least = INT32_MAX;       // the lowest priority of these jobs
    std::size_t with_least = 0;           // so many have it
    std::int32_t least_left = INT32_MAX;  // the lowest from this rank on
  };
  struct Lane {
    NamespaceIndex namespace_;
    bool spared = false;       // jobs of which nobody can fall, whoever asks
    std::vector<Rank*> ranks;  // first to fall first
  };

  explicit VictimOrder(const Session& session);

  // Whether the task may be evicted in this session, as far as it has a say: it is preemptable, and
  // ran, or was bound, when the session opened.
  static bool IsVictim(const TaskFacts& task);

  // Takes note of what moved since the last call. Cost: O(moved × log(jobs of their queues)).
  void Refresh();
  // Jobs of the queue that have victims; for each namespace those that are not spared, then those
  // that are.
  std::span<const Lane> LanesOf(QueueIndex queue);
  const std::vector<JobIndex>& HeapOf(Rank& rank);
  // Tasks of the job that are preemptable and held a node when the action began, first to fall
  // first. What has happened to them since is not looked at.
  std::span<const Victim> VictimsOf(JobIndex job);
  // The same without those at the front that have fallen.
  // REQUIRES: its queue was asked for.
  std::span<const Victim> StandingOf(JobIndex job) const;

  const Session& session() const { return session_; }

 private:
  struct JobVictims {
    std::vector<Victim> sorted;
    std::size_t standing = 0;  // the first that has not fallen
  };
  struct Place {  // of a job
    Lane* lane = nullptr;
    Rank* rank = nullptr;
    std::size_t slot = 0;  // in rank->jobs
  };

  bool Stands(TaskIndex task) const;
  void Build(QueueIndex queue);
  void SortVictims(QueueIndex queue);
  void LookAt(TaskIndex moved);
  Rank* NewRank(Lane& lane, std::size_t position);
  void Insert(Lane& lane, JobIndex job);
  void Add(Lane& lane, std::size_t position, JobIndex job);
  void Remove(JobIndex job);
  static std::int32_t LeastFrom(const Lane& lane, std::size_t i);
  static void KeepLeast(Lane& lane, std::size_t from);
  bool HeadFallsBefore(JobIndex a, JobIndex b) const;
  void Put(Rank& rank, std::size_t slot, JobIndex job);
  void Lift(Rank& rank, std::size_t slot);
  void Sink(Rank& rank, std::size_t slot);

  const Session& session_;
  const Snapshot& snapshot_;
  std::size_t cursor_;                                   // into the session's log of moves
  std::vector<std::optional<std::vector<Lane>>> lanes_;  // by QueueIndex, once asked for
  std::vector<JobVictims> victims_;   // by JobIndex, once their queue was asked for
  std::vector<Place> places_;         // by JobIndex
  std::deque<Rank> ranks_;            // all there ever were
  std::vector<Rank*> unused_;         // of these
  std::vector<JobIndex> moved_jobs_;  // scratch
  std::vector<const ResourceVector*> request_of_class_;  // by base class
};

}  // namespace batholith
