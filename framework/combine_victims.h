#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/chain.h"
#include "framework/extension_points.h"

// How the plugins' answers about victims become one; see VictimRole for guards and rankers. `role`
// tells which of these a plugin is.
namespace batholith {

// Rankers choose first, and the first tier in which one of them answers counts. Then each guard
// sees only what is left, those that count last, so that a guard's budget is not spent on tasks
// that others spare. If nobody answers, nobody is a victim.
template <typename PointClass, typename Role, typename Ask>
std::vector<TaskIndex> GuardsAndRankers(const Chain<PointClass>& chain,
                                        std::span<const TaskIndex> candidates, Role role, Ask ask) {
  std::vector<TaskIndex> left(candidates.begin(), candidates.end());
  bool anybody = false;
  std::optional<std::size_t> deciding_tier;
  for (const Link<PointClass>& link : chain) {
    if (role(*link.plugin) != VictimRole::kRanker) continue;
    if (deciding_tier && *deciding_tier != link.tier) break;
    if (Victims answer = ask(*link.plugin, left)) {
      deciding_tier = link.tier;
      anybody = true;
      left = std::move(*answer);
    }
  }
  for (const VictimRole guards : {VictimRole::kGuard, VictimRole::kCountingGuard}) {
    for (const Link<PointClass>& link : chain) {
      if (role(*link.plugin) != guards) continue;
      if (Victims answer = ask(*link.plugin, left)) {
        anybody = true;
        left = std::move(*answer);
      }
    }
  }
  if (!anybody) left.clear();
  return left;
}

// Whether a plugin that is certain to be asked spares a job. Every guard is asked, but of the
// rankers only those of the first tier that has one are certain to be.
template <typename PointClass, typename Role, typename Spares>
bool AnySpares(const Chain<PointClass>& chain, Role role, Spares spares) {
  std::optional<std::size_t> ranker_tier;
  for (const Link<PointClass>& link : chain) {
    const bool ranker = role(*link.plugin) == VictimRole::kRanker;
    if (ranker && ranker_tier.value_or(link.tier) != link.tier) continue;
    if (ranker) ranker_tier = link.tier;
    if (spares(*link.plugin)) return true;
  }
  return false;
}

// What the plugins of the first tier that names anybody name, each task once, by index.
template <typename PointClass, typename Ask>
std::vector<TaskIndex> UnionOfFirstTier(const Chain<PointClass>& chain, Ask ask) {
  std::vector<TaskIndex> out;
  std::size_t tier = 0;
  for (const Link<PointClass>& link : chain) {
    if (link.tier != tier && !out.empty()) break;
    tier = link.tier;
    const std::vector<TaskIndex> more = ask(*link.plugin);
    out.insert(out.end(), more.begin(), more.end());
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace batholith
