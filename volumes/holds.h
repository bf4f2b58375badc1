#pragma once

#include <algorithm>
#include <functional>

namespace batholith {

// Whether one of the elements is the value.
template <typename Range, typename Value, typename Of = std::identity>
bool Holds(const Range& range, const Value& value, Of of = {}) {
  return std::ranges::find(range, value, of) != std::ranges::end(range);
}

}  // namespace batholith
