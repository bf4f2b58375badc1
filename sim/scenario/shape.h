#pragma once

#include <cstdint>

#include "codec/json/field.h"

namespace batholith {

// What a field of an expectation may hold.
enum class Shape : std::uint8_t {
  kScalar,      // a string, number or boolean
  kScalars,     // one, or a list of the allowed ones
  kList,        // of scalars
  kPods,        // a list, or a map to a node or nodes
  kSwitch,      // a boolean
  kJobs,        // a list of jobs, true, or a number
  kCount,       // n, {min, max}, or a list of the allowed numbers
  kCounts,      // a count, or a map to counts
  kResources,   // a map to quantities
  kLabels,      // a map to scalars or null
  kNumbers,     // a map to numbers (a fraction is read as text)
  kConditions,  // a list of conditions
};

// Throws a FieldError, which says what was expected, where the value has another shape.
void CheckShape(Shape shape, const Field& value);

// Throws a FieldError where the value is no mapping; nothing written is none.
void CheckObject(const Field& value);

}  // namespace batholith
