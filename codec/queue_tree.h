#pragma once

#include <set>
#include <string>
#include <vector>

#include "api/objects.h"

namespace batholith {

// What is wrong with the parents of the queues, a line each: cycles, and parents that are neither
// among the queues nor `known` otherwise. A live cluster goes on with such queues, so
// this is for a warning. Cost: O(queues log queues).
std::vector<std::string> QueueTreeProblems(const std::vector<QueueRecord>& queues,
                                           const std::set<std::string>& known);

}  // namespace batholith
