#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/node_rows.h"

namespace batholith {

// Those scores of resource_score.h that look at cpu and memory alone, for some nodes at once and in
// doubles. The results are the very same: see kMostAllocatable.
class AllocationScores {
 public:
  // Up to here, and with up to kMostUsed in use, every step of the arithmetic is exact: 100 × an
  // amount and a divisor together stay below 2^53, so that a quotient is never rounded up to the
  // next whole number.
  static constexpr std::int64_t kMostAllocatable = std::int64_t{1} << 45;
  static constexpr std::int64_t kMostUsed = std::int64_t{1} << 50;

  struct Weights {
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t balanced = 0;
  };

  // What nodes have, base units; all of one length.
  struct Columns {
    struct Resource {
      std::span<const double> allocatable;
      std::span<const double> used;
      std::span<const double> share;  // min(used / allocatable, 1)
    };
    Resource cpu, memory;
  };

  // `cpu` and `memory`: what the task asks for, 0 to kMostUsed.
  AllocationScores(const Weights& weights, std::int64_t cpu, std::int64_t memory)
      : weights_(weights), cpu_(static_cast<double>(cpu)), memory_(static_cast<double>(memory)) {}

  // Of cpu and of memory: whether it is exact with all amounts between these.
  static bool Serves(const NodeBlock::Bounds& allocatable, const NodeBlock::Bounds& used) {
    return allocatable.least > 0 && allocatable.most <= static_cast<double>(kMostAllocatable) &&
           used.least >= 0 && used.most <= static_cast<double>(kMostUsed);
  }
  // Adds least, most and balanced, each times its weight. REQUIRES: Serves. Cost: 3 ns a node.
  void AddTo(std::span<double> scores, const Columns& nodes) const;

 private:
  Weights weights_;
  double cpu_;
  double memory_;
};

}  // namespace batholith
