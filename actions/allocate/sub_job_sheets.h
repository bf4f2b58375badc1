#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/session.h"
#include "framework/sub_group_counts.h"

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
  bool counted = false;         // its policy counts it among its groups
  bool failed = false;          // could not form, and is not tried again
  DomainIndex held = {};        // around what has a place; none: nothing has
  ResourceVector waiting = {};  // Σ request of the tasks from `next` on

  bool done() const { return ready >= minimum; }
  bool formed() const { return ready + reserved >= minimum; }
  bool open() const { return !failed && next < tasks.size(); }
};

// What is placed in one go: a sub-job, or where there is none the groups that a policy needs.
struct GangPart {
  SubJobSheet* sheet = nullptr;
  std::int32_t policy = -1;
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

  // Who comes next: who lacks his minimum, then who has it; nothing: nobody is left. All of a
  // policy that is a part of another one comes as one until it has its minimum.
  std::optional<GangPart> Next();
  // Who comes next of those that the policy counts; nothing: nobody is left who lacks a minimum.
  std::optional<GangPart> NextOf(std::int32_t policy);
  bool Met(std::int32_t policy) const { return formed_.Met(policy); }
  // What waits of the policy's sub-jobs, and of those of its parts.
  struct Waiting {
    std::uint32_t sub_job = 0;  // one of those that have something
    std::size_t pods = 0;
    ResourceVector requests = {};  // Σ
  };
  Waiting WaitingIn(std::int32_t policy) const;
  // What came of a part: it has its minimum, or it could not form and is not tried again.
  void Note(const GangPart& part, bool formed);

  // Whether the job lacks groups, and some policy needs fewer than there are.
  bool MayChoose() const { return has_choice_ && !formed_.Met(); }
  // From now on those that lack the fewest pods come first, with all that they need around them:
  // the fewest that the whole can start with.
  void PutSmallestFirst();

  bool AnyOpen() const { return CountOpen() > 0; }
  std::size_t CountOpen() const;

 private:
  void CountWhatIsPlaced(const Session& session, const DomainTree* tree);
  void CountWhatIsFormed();
  void PutInOrder(const Session& session);
  void PutNeededFirst();
  std::vector<std::int32_t> Missing() const;  // groups that each policy lacks
  std::int32_t PolicyOf(const SubJobSheet& sheet) const;
  // The policy around the sheet that is a part of this one; -1: the sheet's own counts there.
  // Nothing: the sheet is not in it.
  std::optional<std::int32_t> PartAround(const SubJobSheet& sheet, std::int32_t policy) const;
  std::int32_t LackingAround(const SubJobSheet& sheet) const;

  const JobFacts* job_;
  std::shared_ptr<const std::vector<TaskIndex>> members_;  // sub-job by sub-job
  std::shared_ptr<const std::vector<TaskIndex>> waiting_;  // the same
  std::vector<SubJobSheet> sheets_;
  SubGroupCounts formed_;
  std::vector<bool> failed_;  // by policy
  bool nested_ = false;       // a policy is a part of another one
  bool has_choice_ = false;
};

}  // namespace batholith
