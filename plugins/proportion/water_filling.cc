#include "plugins/proportion/water_filling.h"

#include <algorithm>
#include <array>

#include "api/resource_schema.h"
#include "api/wide.h"

namespace batholith {
namespace {

using Fixed = Wide;  // 2^-40 base units
constexpr int kShift = 40;
using FixedVector = std::array<Fixed, ResourceVector::kMaxDimensions>;

Fixed ToFixed(std::int64_t base_units) { return static_cast<Fixed>(base_units) << kShift; }

std::int64_t ToBaseUnits(Fixed value) {
  constexpr Fixed kSlack = static_cast<Fixed>(1) << (kShift - 16);
  return static_cast<std::int64_t>((value + kSlack) >> kShift);
}

struct State {
  FixedVector deserved{};
  bool met = false;
};

// One queue's turn in a round; adds to `taken` what it took (negative: gave back).
void Pour(const WaterFillingQueue& q, State& s, const FixedVector& remaining, std::int64_t weights,
          std::size_t dims, FixedVector& taken) {
  const FixedVector old = s.deserved;
  bool satisfied = true;
  for (std::size_t r = 0; r < dims; ++r) {
    // In two parts: the product of both may be wider than Fixed.
    Fixed d =
        old[r] + remaining[r] / weights * q.weight + remaining[r] % weights * q.weight / weights;
    if (q.real_capability[r] != ResourceLimits::kUnlimited)
      d = std::min(d, ToFixed(q.real_capability[r]));
    d = std::min(d, ToFixed(q.request[r]));
    d = std::max(d, ToFixed(q.guarantee[r]));
    s.deserved[r] = d;
    taken[r] += d - old[r];
    // Equal up to the slack of the division counts as enough.
    satisfied = satisfied && q.request[r] <= ToBaseUnits(d);
  }
  s.met = satisfied || s.deserved == old;
}

}  // namespace

void FillWater(const ResourceVector& total, std::size_t dimensions,
               std::vector<WaterFillingQueue>& queues) {
  std::vector<State> states(queues.size());
  FixedVector remaining{};
  for (std::size_t r = 0; r < dimensions; ++r)
    remaining[r] = ToFixed(std::max<std::int64_t>(total[r], 0));
  for (std::size_t round = 0; round < 4 * queues.size() + 16; ++round) {
    std::int64_t weights = 0;
    for (std::size_t i = 0; i < queues.size(); ++i) weights += states[i].met ? 0 : queues[i].weight;
    if (weights == 0) break;
    FixedVector taken{};
    for (std::size_t i = 0; i < queues.size(); ++i) {
      if (!states[i].met) Pour(queues[i], states[i], remaining, weights, dimensions, taken);
    }
    bool empty = true;
    bool unchanged = true;
    for (std::size_t r = 0; r < dimensions; ++r) {
      const Fixed left = std::max<Fixed>(remaining[r] - taken[r], 0);
      unchanged = unchanged && left == remaining[r];
      if (r != ResourceSchema::kPods && ToBaseUnits(left) > 0) empty = false;
      remaining[r] = left;
    }
    if (empty || unchanged) break;
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    for (std::size_t r = 0; r < dimensions; ++r)
      queues[i].deserved[r] = ToBaseUnits(states[i].deserved[r]);
  }
}

}  // namespace batholith
