#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "framework/session.h"

namespace batholith {

// Who may be asked to leave, in the order of Chains::VictimFallsBefore: queue by queue, rank by
// rank, and of jobs of one rank task by task. The jobs of a queue and namespace are kept sorted;
// only those whose tasks moved are put into their place anew, since nobody else's rank changes
// within it (as JobQueue has it). Lives for one action.
class VictimOrder {
 public:
  struct Victim {
    TaskIndex task;
    JobIndex job;
    NodeIndex node;
    const ResourceVector* request = nullptr;  // equal requests are the same object
  };
  struct Ranked {
    JobIndex job;
    std::int32_t priority = 0;
    bool tied = false;  // ranked as the one before it
  };
  struct Lane {
    NamespaceIndex namespace_;
    std::vector<Ranked> jobs;         // first to fall first
    std::vector<std::int32_t> least;  // lowest priority from each job on
  };

  explicit VictimOrder(const Session& session);

  // Whether the task may be evicted in this session, as far as it has a say: it is preemptable, and
  // ran, or was bound, when the session opened.
  static bool IsVictim(const TaskFacts& task);

  // Takes note of what moved since the last call.
  void Refresh();
  // Jobs of the queue that have victims.
  std::span<const Lane> LanesOf(QueueIndex queue);
  // Tasks of the job that are preemptable and held a node when the action began, first to fall
  // first. What has happened to them since is not looked at.
  std::span<const Victim> VictimsOf(JobIndex job);
  // The same of jobs that are ranked alike, merged. Stays as it is until jobs of the same lane are
  // asked for. REQUIRES: not empty.
  std::span<const Victim> VictimsOf(std::span<const Ranked> alike);
  bool TaskFallsBefore(TaskIndex a, TaskIndex b) const {
    return session_.chains().CompareTasks(a, b) > 0;
  }

  const Session& session() const { return session_; }

 private:
  struct Merged {  // victims of jobs that were alike when they were last asked for
    std::uint32_t asked = 0;
    std::size_t jobs = 0;
    std::vector<Victim> victims;
  };
  struct Place {  // of a job in what is merged
    Merged* merged = nullptr;
    std::uint32_t asked = 0;  // when it was last among those asked for
  };

  bool FallsBefore(JobIndex a, JobIndex b) const { return session_.chains().CompareJobs(a, b) > 0; }
  bool AreAlike(JobIndex a, JobIndex b) const { return session_.chains().RankJobs(a, b) == 0; }
  void Build(QueueIndex queue);
  Lane* LaneOf(JobIndex job);
  void Tie(Lane& lane, std::size_t i) const;
  static std::int32_t LeastAt(const Lane& lane, std::size_t i);
  static void KeepLeast(Lane& lane, std::size_t from);

  const Session& session_;
  const Snapshot& snapshot_;
  std::size_t cursor_;                                       // into the session's log of moves
  std::vector<std::optional<std::vector<Lane>>> lanes_;      // by QueueIndex, once asked for
  std::vector<std::optional<std::vector<Victim>>> victims_;  // by JobIndex, once asked for
  std::deque<Merged> merged_;
  std::vector<Place> places_;  // by JobIndex
  std::uint32_t asked_ = 0;
  std::vector<const ResourceVector*> request_of_class_;  // by base class
};

// One way through the victims of a queue, in an order that must not be refreshed meanwhile.
// Whatever is tried out on the session must be undone before the next step.
class VictimWalk {
 public:
  VictimWalk(VictimOrder& order, QueueIndex queue);

  const VictimOrder::Victim* Next();  // nullptr: no more
  // No victim that is still to come is of a job of lower priority; nor is the last one.
  std::int32_t LeastPriorityLeft() const { return least_left_; }

 private:
  struct Head {
    const VictimOrder::Lane* lane = nullptr;
    std::size_t next = 0;
  };
  bool FallsAfter(const Head& a, const Head& b) const;
  void TakeRank();
  JobIndex TakeHead();

  VictimOrder& order_;
  const Session& session_;
  std::vector<Head> heads_;                                 // a heap, first to fall on top
  std::vector<std::span<const VictimOrder::Victim>> rank_;  // what is left of it, by lane
  std::int32_t least_left_ = INT32_MIN;
};

}  // namespace batholith
