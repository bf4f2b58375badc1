#pragma once

#include <cstdint>

#include "api/snapshot.h"

namespace batholith {

// The sub-job of the pod, made where it is the first of it: the first policy whose selector and
// label keys match; the tuple of label values names the sub-job. Source: spec.subGroupPolicy of
// Volcano's PodGroup.
std::uint32_t SubJobOf(const PodRecord& pod, JobFacts& job);

}  // namespace batholith
