#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/json/field.h"
#include "codec/limits.h"

namespace batholith {

// How many pods may be made of one input, and how many were: a number is short, and what it stands
// for is not.
struct PodBudget {
  std::int64_t most = kMaxMadePods;
  std::int64_t made = 0;
  std::size_t made_bytes = 0;  // of their names, labels and annotations

  // Throws a FieldError of the count where so many more are too many. Before any of them is made.
  void Ask(std::int64_t pods, const Field& count) const;
  // Throws one where the texts of this one of them are too many; counts it.
  void Add(const PodRecord& pod, std::int64_t pods, const Field& count);
};

}  // namespace batholith
