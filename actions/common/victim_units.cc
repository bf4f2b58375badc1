#include "actions/common/victim_units.h"

#include <utility>

namespace batholith {

void VictimUnits::Fill(VictimUnit& unit, std::vector<TaskIndex> standing) const {
  unit.standing = std::move(standing);
  for (const TaskIndex t : unit.standing) {
    const auto [part, is_first] = unit.parts.try_emplace(session_.state().node(t));
    if (is_first) part->second.representative = t;
    part->second.request += session_.snapshot().task(t).request;
    if (unit.first.is_none() || session_.chains().VictimFallsBefore(t, unit.first, preemptor_))
      unit.first = t;
  }
}

void EvictAll(Session& session, Statement& statement, std::span<const TaskIndex> tasks,
              JobIndex for_job) {
  const EvictionUnits& units = EvictionUnits::Of(session);
  for (const TaskIndex t : tasks)
    statement.Evict(t, for_job, EvictionReason(units, t, session.action()));
}

}  // namespace batholith
