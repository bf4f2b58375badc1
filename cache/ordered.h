#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "api/objects.h"

namespace batholith {

// The order of a snapshot: (creation time, uid).
inline bool StandsBefore(const ObjectMeta& a, const ObjectMeta& b) {
  if (a.creation != b.creation) return a.creation < b.creation;
  if (a.uid != b.uid) return a.uid < b.uid;
  return a.Key() < b.Key();
}

// Places of `records` in that order.
template <typename Record>
std::vector<std::size_t> Ordered(const std::vector<Record>& records) {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](std::size_t a, std::size_t b) {
    return StandsBefore(records[a].meta, records[b].meta);
  };
  // As a rule objects come in the order in which they were made.
  if (!std::ranges::is_sorted(order, before)) std::ranges::stable_sort(order, before);
  return order;
}

}  // namespace batholith
