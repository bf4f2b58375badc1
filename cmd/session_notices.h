#pragma once

#include <string>
#include <vector>

#include "api/effect.h"

namespace batholith {

// What whoever runs the daemon should know of a session: what is wrong with objects, and sizes of
// node groups that nobody writes yet.
std::vector<std::string> NoticesOf(const CycleResult& result);

}  // namespace batholith
