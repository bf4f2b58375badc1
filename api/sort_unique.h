#pragma once

#include <algorithm>

namespace batholith {

// Sorts, and leaves each value once.
template <typename Container>
void SortUnique(Container& values) {
  std::ranges::sort(values);
  const auto again = std::ranges::unique(values);
  values.erase(again.begin(), again.end());
}

}  // namespace batholith
