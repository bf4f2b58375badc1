#pragma once

#include "framework/session.h"

namespace batholith {

// Places tasks that ask for nothing but a pod slot: by queue, job and task order, a queue at a time
// (reference 1.3).
void Backfill(Session& session, const Arguments& arguments);

}  // namespace batholith
