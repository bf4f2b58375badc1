#pragma once

#include <string>

#include "api/effect.h"

namespace batholith::property {

// The first part in which the results differ, with both sides where they are short; empty: equal.
std::string DifferenceOf(const CycleResult& got, const CycleResult& want);

// The same in what is decided: who is bound, reserved, evicted and why, phases of jobs, what
// queues deserve, placeholders, orders of autoscaling. Not what tells of it: messages count nodes.
std::string DifferenceOfDecisions(const CycleResult& got, const CycleResult& want);

// Lists that follow the order of the objects, by key instead.
CycleResult Sorted(CycleResult result);

}  // namespace batholith::property
