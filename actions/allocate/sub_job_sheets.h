#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/session.h"

namespace batholith {

// What waits of one sub-job, and what it has.
struct SubJobSheet {
  std::uint32_t sub_job = 0;
  std::span<const TaskIndex> members;  // whatever their state
  std::span<const TaskIndex> tasks;    // that wait, in task order
  std::size_t next = 0;                // those before it had their turn
  std::int32_t minimum = 0;
  std::int32_t ready = 0;       // have a place for now
  std::int32_t reserved = 0;    // have one that is being released
  bool failed = false;          // could not form, and is not tried again
  DomainIndex held = {};        // around what has a place; none: nothing has
  ResourceVector waiting = {};  // Σ request of the tasks from `next` on

  bool done() const { return ready >= minimum; }
  bool open() const { return !failed && next < tasks.size(); }
};

// The sheets of a job whose sub-jobs are placed one by one, in the order of their turns: as many of
// each policy as it needs at least, then the others; in both by priority, by the number that their
// labels begin with, and by their first pod. Copies refer to the same tasks.
class SubJobSheets {
 public:
  // `tasks`: what waits, in task order; `tree`: of the domains that `held` is among; none: nobody
  // knows which nodes are close.
  SubJobSheets(const Session& session, JobIndex job, std::span<const TaskIndex> tasks,
               const DomainTree* tree);

  // Who comes next: who lacks his minimum, then who has it; nullptr: nobody is left.
  SubJobSheet* Next();
  bool AnyOpen() const { return CountOpen() > 0; }
  std::size_t CountOpen() const;

 private:
  void CountWhatIsPlaced(const Session& session, const DomainTree* tree);
  void PutInOrder(const Session& session, JobIndex job);

  std::shared_ptr<const std::vector<TaskIndex>> members_;  // sub-job by sub-job
  std::shared_ptr<const std::vector<TaskIndex>> waiting_;  // the same
  std::vector<SubJobSheet> sheets_;
};

}  // namespace batholith
