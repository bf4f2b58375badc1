#pragma once

#include "framework/session.h"

namespace batholith {

// Evicts the running tasks that plugins name, at once (reference 1.6).
void Shuffle(Session& session, const Arguments& arguments);

}  // namespace batholith
