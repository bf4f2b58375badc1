#include "actions/shuffle/shuffle.h"

#include <algorithm>
#include <set>

#include "framework/eviction_units.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {
namespace {

// What falls together leaves when one of it has to, if all of it may.
void Shuffle(Session& session) {
  const EvictionUnits& units = EvictionUnits::Of(session);
  const Snapshot& snapshot = session.snapshot();
  std::set<const EvictionUnit*> seen;  // looked up only
  Statement statement(session);
  for (const TaskIndex task : session.chains().ShuffleVictims()) {
    if (session.state().status(task) != TaskStatus::kRunning) continue;
    const EvictionUnit* unit = units.Find(task);
    if (unit == nullptr) {
      statement.Evict(task, JobIndex(), "shuffle");
      continue;
    }
    if (!seen.insert(unit).second) continue;
    const std::vector<TaskIndex> standing = StandingOf(*unit, session.state());
    if (!std::ranges::all_of(standing, [&](TaskIndex t) { return snapshot.task(t).preemptable; }))
      continue;
    for (const TaskIndex t : standing)
      statement.Evict(t, JobIndex(), EvictionReason(units, t, "shuffle"));
  }
  statement.Commit();
}

}  // namespace

ActionDescriptor ShuffleAction() {
  return DescribeAction<Shuffle>({
      .name = "shuffle",
      .summary = "evicts the running pods that plugins name",
      .asks = {Point::kVictim},
  });
}

}  // namespace batholith
