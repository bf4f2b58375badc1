#pragma once

#include "framework/session.h"

namespace batholith {

// Fills the figures, phases and messages of the session's result: what a person asks after it.
// Cost: O(objects).
void Report(Session& session);

// "0/5 nodes are available: 3 Insufficient cpu, 2 had untolerated taint {gpu: true}", most
// common first.
std::string UnfitText(const Snapshot& snapshot, const UnfitHistogram& histogram);

}  // namespace batholith
