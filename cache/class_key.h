#pragma once

#include <string>

#include "api/snapshot.h"

namespace batholith {

// Equal for pods that ask for the same: amounts, constraints, and namespace and labels where
// anybody asks for those. REQUIRES: the request is read, and labels_matter is set.
std::string ClassKey(const PodRecord& pod, const TaskFacts& facts, const Snapshot& snapshot);

}  // namespace batholith
