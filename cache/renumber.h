#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cache/changed_places.h"
#include "cache/ordered.h"

namespace batholith {

// Where facts stand after others came or went, by where they stood; empty: where they stood.
// ChangedPlaces::kNone: they are gone.
using Renumbering = std::vector<std::uint32_t>;

// Takes out what stands at `places`, which may be in any order. Cost: O(all) where there are any.
template <typename Facts>
Renumbering TakeOut(std::vector<Facts>& all, const std::vector<std::uint32_t>& places) {
  if (places.empty()) return {};
  Renumbering numbers(all.size(), 0);
  for (const std::uint32_t place : places) numbers[place] = ChangedPlaces::kNone;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (numbers[i] == ChangedPlaces::kNone) continue;
    if (next != i) all[next] = std::move(all[i]);
    numbers[i] = next++;
  }
  all.resize(next);
  return numbers;
}

// Puts the facts of new records in, in the order of a snapshot; `places`: where they stand then.
// Cost: O(new log all), and O(all) where not all of them come to the end.
template <typename Facts>
Renumbering PutIn(std::vector<Facts>& all, std::vector<Facts> come,
                  std::vector<std::uint32_t>& places) {
  const auto before = [](const Facts& a, const Facts& b) {
    return StandsBefore(a.record->meta, b.record->meta);
  };
  std::ranges::sort(come, before);
  places.clear();
  for (const Facts& facts : come) {
    const auto at = std::ranges::upper_bound(all, facts, before) - all.begin();
    places.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(at) + places.size()));
  }
  const std::size_t old = all.size();
  all.resize(old + come.size());
  if (come.empty() || places.front() == old) {
    std::ranges::move(come, all.begin() + static_cast<std::ptrdiff_t>(old));
    return {};
  }
  Renumbering numbers(old);
  std::size_t left = come.size();
  for (std::size_t to = all.size(); to-- > 0;) {
    if (left > 0 && places[left - 1] == to) {
      all[to] = std::move(come[--left]);
    } else {
      const std::size_t from = to - left;
      if (from != to) all[to] = std::move(all[from]);
      numbers[from] = static_cast<std::uint32_t>(to);
    }
  }
  return numbers;
}

// The same for what stands beside those facts, and where records say where theirs stand.
template <typename Value>
void Follow(const Renumbering& numbers, std::size_t size, std::vector<Value>& beside) {
  if (!numbers.empty()) {
    std::vector<Value> moved(size);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] != ChangedPlaces::kNone) moved[numbers[i]] = std::move(beside[i]);
    }
    beside = std::move(moved);
  }
  beside.resize(size);
}

inline void Follow(const Renumbering& numbers, ChangedPlaces& records) {
  if (numbers.empty()) return;
  for (std::size_t place = 0; place < records.size(); ++place) {
    const std::uint32_t was = records.index(place);
    if (was != ChangedPlaces::kNone) records.Put(place, numbers[was]);
  }
}

}  // namespace batholith
