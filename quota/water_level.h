#pragma once

#include <cstdint>
#include <span>

namespace batholith {

// One child of a quota, in one resource. Amounts in tree units.
struct LevelChild {
  std::int64_t weight = 0;
  std::int64_t request = 0;  // limited by max
  std::int64_t min = 0;      // scaled, where minimums are scaled
  std::int64_t guarantee = 0;
  bool lends = true;         // gives away what it does not ask for
  std::int64_t runtime = 0;  // out
};

// Divides `total` among siblings: each has its floor = max(min, guarantee), or less where it asks
// for less and lends; what is left goes by weight to those that ask for more, in rounds, by largest
// remainder, ties to the earlier one. REQUIRES: children in name order, weights not negative.
// Nobody gets more than it asks for but a non-lending child its floor; the sum is `total` where
// demand allows. Cost: O(rounds × children × log children), rounds ≤ children. Source:
// the redistribution of runtime quota in Koordinator's elastic quota plugin.
void FillLevel(std::int64_t total, std::span<LevelChild> children);

struct ScaledMin {
  std::int64_t min = 0;
  bool may_scale = true;
  std::int64_t scaled = 0;  // out
};

// Shrinks the minimums of siblings where their sum is above `total`: those that may not scale keep
// theirs, the others share what is left in proportion, rounded down. Exact. Source:
// Koordinator's scaling of min quotas (enableMinQuotaScale).
void ScaleMins(std::int64_t total, std::span<ScaledMin> children);

}  // namespace batholith
