#include "quota/water_level.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "api/resource_vector.h"
#include "api/wide.h"

namespace batholith {
namespace {

// One round: shares `pool` among the hungry by weight. Returns what nobody needed.
Wide Share(Wide pool, std::span<LevelChild> children, std::vector<std::size_t>& hungry) {
  Wide weights = 0;
  for (const std::size_t i : hungry) weights += children[i].weight;
  if (weights <= 0) return 0;
  std::vector<Wide> remainders(hungry.size());
  Wide left = pool;
  for (std::size_t h = 0; h < hungry.size(); ++h) {
    LevelChild& c = children[hungry[h]];
    const Wide product = static_cast<Wide>(c.weight) * pool;
    c.runtime += static_cast<std::int64_t>(product / weights);
    remainders[h] = product % weights;
    left -= product / weights;
  }
  std::vector<std::size_t> order(hungry.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (const std::size_t h : order) {
    if (left == 0) break;
    if (children[hungry[h]].weight == 0) continue;
    ++children[hungry[h]].runtime;
    --left;
  }
  Wide back = 0;
  std::erase_if(hungry, [&](std::size_t i) {
    LevelChild& c = children[i];
    if (c.runtime < c.request) return false;
    back += c.runtime - c.request;
    c.runtime = c.request;
    return true;
  });
  return back;
}

}  // namespace

void FillLevel(std::int64_t total, std::span<LevelChild> children) {
  Wide pool = total;
  std::vector<std::size_t> hungry;
  for (std::size_t i = 0; i < children.size(); ++i) {
    LevelChild& c = children[i];
    const std::int64_t floor = std::max(c.min, c.guarantee);
    if (c.request > floor) hungry.push_back(i);
    c.runtime = c.request > floor || !c.lends ? floor : c.request;
    pool -= c.runtime;
  }
  while (pool > 0 && !hungry.empty()) pool = Share(pool, children, hungry);
}

void ScaleMins(std::int64_t total, std::span<ScaledMin> children) {
  Wide fixed = 0;
  Wide scalable = 0;
  for (ScaledMin& c : children) {
    c.scaled = c.min;
    (c.may_scale ? scalable : fixed) += c.min;
  }
  if (fixed + scalable <= total) return;
  const Wide room = total - fixed;
  for (ScaledMin& c : children) {
    if (!c.may_scale) continue;
    c.scaled = room <= 0 || scalable == 0 ? 0 : static_cast<std::int64_t>(room * c.min / scalable);
  }
}

}  // namespace batholith
