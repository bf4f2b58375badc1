#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "api/objects.h"

namespace batholith {

// Places of `records` in (creation time, uid) order.
template <typename Record>
std::vector<std::size_t> Ordered(const std::vector<Record>& records) {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](std::size_t a, std::size_t b) {
    const ObjectMeta& ma = records[a].meta;
    const ObjectMeta& mb = records[b].meta;
    if (ma.creation != mb.creation) return ma.creation < mb.creation;
    if (ma.uid != mb.uid) return ma.uid < mb.uid;
    return ma.Key() < mb.Key();
  };
  // As a rule objects come in the order in which they were made.
  if (!std::ranges::is_sorted(order, before)) std::ranges::stable_sort(order, before);
  return order;
}

}  // namespace batholith
