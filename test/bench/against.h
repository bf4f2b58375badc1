#pragma once

#include "test/bench/settings.h"

namespace batholith::bench {

// Runs this program and another one in turn, `repeat` pairs of child processes with the same flags,
// and prints one JSON line: of both the medians and their spread, and the ratio of this one to the
// other, with its own spread. What the machine does besides meets both. False: a program ended
// badly, or the two decided otherwise (placed, evicted, and the digest where both tell one).
Result<bool> RunAgainst(const Settings& settings);

}  // namespace batholith::bench
