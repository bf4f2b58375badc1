#include "actions/autoscale/model/expander.h"

#include <algorithm>

#include "api/check.h"
#include "api/resource_schema.h"
#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

std::int64_t Unused(const ScaleOption& option, std::size_t r) {
  const Wide total = static_cast<Wide>(option.capacity[r]) * option.nodes;
  if (total <= 0) return 0;
  const Wide unused = total - option.requested[r];
  return static_cast<std::int64_t>(unused * kBillion / total);
}

// Keeps the options whose score is the smallest.
template <typename Score>
void KeepLowest(std::vector<ScaleOption>& options, Score score) {
  const auto best = std::ranges::min_element(options, {}, score);
  if (best == options.end()) return;
  const auto lowest = score(*best);
  std::erase_if(options, [&](const ScaleOption& o) { return score(o) != lowest; });
}

void KeepPriority(std::vector<ScaleOption>& options, const AutoscaleConf& conf) {
  for (auto level = conf.priorities.rbegin(); level != conf.priorities.rend(); ++level) {
    const auto matches = [&](const ScaleOption& option) {
      return std::ranges::any_of(
          level->second, [&](const Pattern& pattern) { return pattern.FoundIn(option.name); });
    };
    if (std::ranges::none_of(options, matches)) continue;
    std::erase_if(options, [&](const ScaleOption& o) { return !matches(o); });
    return;
  }
}

// A mixing of all bits (splitmix64), so that neighbouring draws differ.
std::uint64_t Mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

void KeepOne(std::vector<ScaleOption>& options, std::uint64_t number) {
  if (options.empty()) return;
  std::ranges::sort(options, {}, &ScaleOption::name);
  options = {options[number % options.size()]};
}

}  // namespace

std::int64_t WasteOf(const ScaleOption& option) {
  return Unused(option, ResourceSchema::kCpu) + Unused(option, ResourceSchema::kMemory);
}

std::vector<ScaleOption> FilterOptions(std::vector<ScaleOption> options, const AutoscaleConf& conf,
                                       std::uint64_t draw) {
  for (const ExpanderKind kind : conf.expanders) {
    switch (kind) {
      case ExpanderKind::kLeastWaste:
        KeepLowest(options, WasteOf);
        break;
      case ExpanderKind::kMostPods:
        KeepLowest(options, [](const ScaleOption& o) { return -o.helped; });
        break;
      case ExpanderKind::kLeastNodes:
        KeepLowest(options, [](const ScaleOption& o) { return o.nodes; });
        break;
      case ExpanderKind::kPriority:
        KeepPriority(options, conf);
        break;
      case ExpanderKind::kRandom:
        KeepOne(options, Mixed(conf.random_seed ^ Mixed(draw)));
        break;
    }
  }
  return options;
}

ScaleOption PickOption(std::vector<ScaleOption> options, const AutoscaleConf& conf,
                       std::uint64_t draw) {
  CHECK(!options.empty());
  options = FilterOptions(std::move(options), conf, draw);
  return *std::ranges::min_element(options, {}, &ScaleOption::name);
}

}  // namespace batholith
