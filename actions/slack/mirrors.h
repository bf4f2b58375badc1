#pragma once

#include <vector>

#include "actions/slack/sources.h"

namespace batholith {

// Placeholders that pods and groups ask for by slack.batholith.dev/mirror: "n": n like the youngest
// pod of the same owner, or n like a pod of each role of the group. What is no number from 0 to
// 100000 becomes a notice of the session.
std::vector<WantedSource> FindMirrors(Session& session);

}  // namespace batholith
