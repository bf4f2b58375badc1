#pragma once

#include "framework/session.h"

namespace batholith {

// Recomputes every sum of the session from its tasks and aborts on a difference. Cost: O(objects ×
// dimensions).
void VerifySession(const Session& session);

}  // namespace batholith
