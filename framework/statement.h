#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "framework/session.h"

namespace batholith {

// An undoable log over one session. Rolls back in its destructor unless committed. Every operation
// is applied to the columns at once and told to the observers, undo too.
class Statement {
 public:
  using Checkpoint = std::size_t;

  explicit Statement(Session& session) : session_(session) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { RollbackTo(0); }

  // REQUIRES: the task is Pending.
  void Allocate(TaskIndex task, NodeIndex node);
  void Pipeline(TaskIndex task, NodeIndex node);
  // Gives up a reservation, also one of an earlier statement. REQUIRES: the task is Pipelined.
  void Unpipeline(TaskIndex task);
  // REQUIRES: the task is Bound or Running. `for_job` is who gets the room. Returns the eviction's
  // place, for UnevictAt.
  Checkpoint Evict(TaskIndex task, JobIndex for_job, std::string reason,
                   EvictBy by = EvictBy::kDeletion);
  // Takes back one eviction of this statement that is not needed after all. REQUIRES: the place is
  // that of an eviction which was neither taken back nor rolled back. Cost: O(1).
  void UnevictAt(Checkpoint place);
  // The same of a task that was evicted here. Cost: O(what was done since).
  void Unevict(TaskIndex task);

  Checkpoint checkpoint() const { return log_.size(); }
  void RollbackTo(Checkpoint checkpoint);
  bool empty() const { return log_.empty(); }
  std::vector<TaskIndex> evicted() const;
  std::vector<TaskIndex> placed() const;

  // Appends the effects to the session: evictions, and binds of what was allocated. What was
  // pipelined stays reserved for the rest of the session; what was given up is told no more.
  void Commit();
  // Keeps the reservations in the columns for the rest of the session; nothing is bound or evicted.
  // What was pipelined is told in the result.
  void KeepReserved();

 private:
  // A task's move, from where it stood to where it went; of evictions also for whom and why.
  struct Entry {
    TaskIndex task;
    TaskStatus before = TaskStatus::kPending;
    NodeIndex node_before = {};
    TaskStatus after = TaskStatus::kPending;
    NodeIndex node_after = {};
    JobIndex for_job = {};
    std::string reason = {};
    EvictBy by = EvictBy::kDeletion;
    bool revoked = false;  // an eviction that was taken back
  };

  void Do(Entry entry);

  Session& session_;
  std::vector<Entry> log_;
};

}  // namespace batholith
