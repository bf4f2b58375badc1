#include "cmd/table/tree.h"

#include <algorithm>
#include <map>
#include <optional>

namespace batholith {
namespace {

constexpr const char* kRoot = "root";

// The children of each, and whom a walk from the top begins with.
struct Branches {
  std::vector<std::vector<std::size_t>> below;
  std::vector<std::size_t> top;
};

std::vector<std::optional<std::size_t>> ParentsOf(std::span<const NamedParent> all) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i) places.try_emplace(all[i].name, i);
  std::vector<std::optional<std::size_t>> parents(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string wanted =
        all[i].parent.empty() && all[i].name != kRoot ? kRoot : all[i].parent;
    const auto parent = places.find(wanted);
    if (parent != places.end() && parent->second != i) parents[i] = parent->second;
  }
  return parents;
}

// The first of a cycle has no parent any more.
void CutCycles(std::vector<std::optional<std::size_t>>& parents) {
  std::vector<std::size_t> seen(parents.size(), 0);  // in the walk that began at that index + 1
  for (std::size_t start = 0; start < parents.size(); ++start) {
    std::optional<std::size_t> at = start;
    while (at && seen[*at] == 0) {
      seen[*at] = start + 1;
      at = parents[*at];
    }
    if (at && seen[*at] == start + 1) parents[*at].reset();
  }
}

Branches BranchesOf(std::span<const NamedParent> all) {
  auto parents = ParentsOf(all);
  CutCycles(parents);
  Branches out;
  out.below.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    (parents[i] ? out.below[*parents[i]] : out.top).push_back(i);
  return out;
}

}  // namespace

bool IsTree(std::span<const NamedParent> all) {
  return std::ranges::any_of(ParentsOf(all), [](const auto& parent) { return parent.has_value(); });
}

std::vector<TreeLine> DrawTree(std::span<const NamedParent> all) {
  constexpr std::size_t kDeepest = 20;
  const Branches branches = BranchesOf(all);
  struct Step {
    std::size_t index, parent;
    std::string before;  // of the lines beside it
    std::size_t depth;
    bool last;
  };
  std::vector<Step> steps;  // the next one at the back
  for (std::size_t i = branches.top.size(); i-- > 0;)
    steps.push_back({branches.top[i], TreeLine::kTop, "", 0, false});
  std::vector<TreeLine> lines;
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    const auto& below = branches.below[step.index];
    const char* fork = step.depth == 0 ? "" : step.last ? "└─ " : "├─ ";
    lines.push_back({step.index, step.parent, step.before + fork, !below.empty()});
    const bool wider = step.depth > 0 && step.depth < kDeepest;
    const std::string before = step.before + (!wider ? "" : step.last ? "   " : "│  ");
    for (std::size_t i = below.size(); i-- > 0;)
      steps.push_back({below[i], lines.size() - 1, before, step.depth + 1, i + 1 == below.size()});
  }
  return lines;
}

}  // namespace batholith
