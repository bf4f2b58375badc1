#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "framework/eviction_units.h"
#include "framework/statement.h"

namespace batholith {

// A unit of pods that fall together, as one preemptor sees it.
struct VictimUnit {
  struct Part {                // what of it stands on one node
    ResourceVector request;    // of all of them together
    TaskIndex representative;  // the first by index, which speaks for the unit there
  };
  std::vector<TaskIndex> standing;  // all that would fall; none: it may not fall for the preemptor
  TaskIndex first;                  // of these the first to fall
  std::map<NodeIndex, Part> parts;
};

// The units that one preemptor has met, looked at once each: before anybody was evicted on trial.
// Lives as long as nothing but trials that are undone changes the session.
class VictimUnits {
 public:
  VictimUnits(Session& session, TaskIndex preemptor)
      : session_(session), units_(EvictionUnits::Of(session)), preemptor_(preemptor) {}

  bool none() const { return units_.none(); }
  const EvictionUnit* Find(TaskIndex task) const { return units_.Find(task); }
  // nullptr: the task falls alone. `may_fall`: whether each of the unit's tasks may, as far as
  // guards and rankers need not be asked. Cost: O(tasks of the unit), once.
  template <typename MayFall>
  const VictimUnit* Of(TaskIndex task, MayFall may_fall) const {
    const EvictionUnit* unit = units_.Find(task);
    if (unit == nullptr) return nullptr;
    const auto [it, added] = met_.try_emplace(unit);
    if (added) {
      std::vector<TaskIndex> standing = StandingOf(*unit, session_.state());
      bool all = units_.Find(preemptor_) != unit;
      for (const TaskIndex t : standing) all = all && may_fall(t);
      if (all) Fill(it->second, std::move(standing));
    }
    return &it->second;
  }

 private:
  void Fill(VictimUnit& unit, std::vector<TaskIndex> standing) const;

  Session& session_;
  const EvictionUnits& units_;
  TaskIndex preemptor_;
  mutable std::map<const EvictionUnit*, VictimUnit> met_;  // looked up only
};

// Evicts them for the job, and says of each with whom it falls.
void EvictAll(Session& session, Statement& statement, std::span<const TaskIndex> tasks,
              JobIndex for_job);

}  // namespace batholith
