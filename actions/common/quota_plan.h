#pragma once

#include "actions/common/victim_judge.h"

namespace batholith {

// Reserves a place for a preemptor that is bound to an elastic quota, by evicting tasks of quotas,
// if need be on several nodes: for each node all allowed victims are taken off, those on it first;
// if the preemptor then fits and its quotas have room, as many as can be are put back, first those
// elsewhere, most deserving first. The best plan is applied. False: no plan; the statement is as it
// was. `own_queue_only`: the preemptor's queue may take nothing from others. Cost: that of
// QuotaSearch; where sums do not tell, that of QuotaTrial. Source: reference (elastic quotas) 5.6.
bool PlaceWithQuotaVictims(Session& session, Statement& statement, TaskIndex preemptor,
                           VictimKind kind, bool own_queue_only);

}  // namespace batholith
