#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "framework/session_state.h"
#include "plugins/common/allocation_scores.h"

namespace batholith {

// One resource of some nodes.
struct ResourceColumns {
  using Numbers = std::array<double, NodeBlock::kMost>;
  Numbers allocatable, used, share;
  bool served;  // by AllocationScores

  void Fill(const SessionState& state, std::span<const NodeIndex> nodes, std::size_t r) {
    served = true;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      allocatable[i] = static_cast<double>(state.allocatable(nodes[i])[r]);
      used[i] = static_cast<double>(state.used(nodes[i])[r]);
      share[i] = std::min(used[i] / allocatable[i], 1.0);
      served =
          served && AllocationScores::Serves({allocatable[i], allocatable[i]}, {used[i], used[i]});
    }
  }
  AllocationScores::Columns::Resource First(std::size_t count) const {
    const auto first = [&](const Numbers& numbers) { return std::span(numbers).first(count); };
    return {first(allocatable), first(used), first(share)};
  }
};

// AddTo of nodes that stand in no block; each(nodes, scores) adds the same where it does not serve.
template <typename Each>
void AddInStep(const AllocationScores& some, const SessionState& state,
               std::span<const NodeIndex> nodes, std::span<double> scores, const Each& each) {
  ResourceColumns cpu;
  ResourceColumns memory;
  while (!nodes.empty()) {
    const std::size_t count = std::min(nodes.size(), NodeBlock::kMost);
    cpu.Fill(state, nodes.first(count), ResourceSchema::kCpu);
    memory.Fill(state, nodes.first(count), ResourceSchema::kMemory);
    if (cpu.served && memory.served) {
      some.AddTo(scores.first(count), {cpu.First(count), memory.First(count)});
    } else {
      each(nodes.first(count), scores.first(count));
    }
    nodes = nodes.subspan(count);
    scores = scores.subspan(count);
  }
}

}  // namespace batholith
