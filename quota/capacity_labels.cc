#include "quota/capacity_labels.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace batholith {
namespace {

bool Smaller(const ResourceVector& a, const ResourceVector& b, std::size_t dimensions) {
  const std::uint32_t both = AskedDimensions(a, dimensions) & AskedDimensions(b, dimensions);
  bool less = false;
  for (std::size_t r = 0; r < dimensions; ++r) {
    if ((both >> r & 1U) == 0) continue;
    if (a[r] > b[r]) return false;
    less = less || a[r] < b[r];
  }
  return less;
}

// Equal age and priority, by name: the first by name of which nobody left is smaller goes next. The
// relation is no order, so it cannot be given to a sort.
void OrderBySize(const std::vector<LabelledPod>& pods, std::size_t dimensions,
                 std::span<std::size_t> tied) {
  const bool alike = std::ranges::all_of(
      tied, [&](std::size_t i) { return pods[i].pod->request == pods[tied.front()].pod->request; });
  if (alike) return;
  for (std::size_t i = 0; i < tied.size(); ++i) {
    std::size_t pick = i;
    for (std::size_t c = i; c < tied.size(); ++c) {
      const ResourceVector& request = pods[tied[c]].pod->request;
      const bool first = std::ranges::none_of(tied.subspan(i), [&](std::size_t other) {
        return Smaller(pods[other].pod->request, request, dimensions);
      });
      if (!first) continue;
      pick = c;
      break;
    }
    std::rotate(tied.begin() + static_cast<std::ptrdiff_t>(i),
                tied.begin() + static_cast<std::ptrdiff_t>(pick),
                tied.begin() + static_cast<std::ptrdiff_t>(pick) + 1);
  }
}

}  // namespace

std::vector<std::size_t> LabelPods(const QuotaList& min, std::size_t dimensions,
                                   std::vector<LabelledPod>& pods) {
  std::vector<std::size_t> order(pods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t i) {
    return std::tuple(pods[i].record->meta.creation, pods[i].pod->priority);
  };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return pods[a].record->meta.Key() < pods[b].record->meta.Key();
  });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && rank(order[end]) == rank(order[begin])) ++end;
    OrderBySize(pods, dimensions, std::span(order).subspan(begin, end - begin));
    begin = end;
  }
  ResourceVector sum;
  for (const std::size_t i : order) {
    sum += pods[i].pod->request;
    pods[i].over_quota = FirstAbove(sum, min, min.present(), dimensions) >= 0;
  }
  return order;
}

}  // namespace batholith
