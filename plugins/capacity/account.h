#pragma once

#include <cstdint>

#include "plugins/common/queue_sums.h"

namespace batholith {

// A queue's limits and sums, and what follows from them; pure. Pod slots never
// count. `held` is what the queue holds while victims are weighed, before the one in question.
struct Account {
  ResourceLimits capability;  // where a queue of a tree names none: its parent's
  ResourceLimits real_capability;
  ResourceVector guarantee;
  ResourceVector deserved;
  QueueSums sums;  // with those of all queues below
  bool deserves_nothing = true;
  std::int64_t share = 0;  // as of the last call of UpdateShare; see FixedShare
};

// The greatest part of a deserved resource that `held` is; 1 where nothing is deserved.
std::int64_t DominantShare(const ResourceVector& held, const ResourceVector& deserved);

// Sets `share` and `deserves_nothing`.
void UpdateShare(Account& account);

// Whether both name a resource.
bool Meet(const ResourceVector& a, const ResourceVector& b);

// With `request` a queue that holds `held` has no more than it deserves, in at least one resource.
bool StaysWithinDeserved(const ResourceVector& held, const ResourceVector& request,
                         const ResourceVector& deserved);

// Without the victim the queue still holds what it guarantees.
bool KeepsGuarantee(const Account& account, const ResourceVector& held,
                    const ResourceVector& victim);

// Holds more than it deserves of what is wanted (of what the victim holds, where the queue deserves
// nothing that is wanted), and keeps whole tasks of this size: judged after the removal, so that
// the queue cannot ask back what it lost.
bool IsOver(const Account& account, const ResourceVector& held, const ResourceVector& victim,
            const ResourceVector& wanted);

// Two queues may each be over in one resource and short of another, and would take from each other
// for ever; then the one whose share stays smaller may. True where there is no such conflict.
bool WinsClaim(const Account& reclaimer, const ResourceVector& wanted, const Account& account,
               const ResourceVector& held, const ResourceVector& victim);

}  // namespace batholith
