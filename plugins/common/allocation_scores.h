#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace batholith {

// Those scores of resource_score.h that look at cpu and memory alone, for some nodes at once and in
// doubles. The results are the very same: see kMostAllocatable.
class AllocationScores {
 public:
  static constexpr std::size_t kMostNodes = 64;
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

  // `cpu` and `memory`: what the task asks for, 0 to kMostUsed.
  AllocationScores(const Weights& weights, std::int64_t cpu, std::int64_t memory)
      : weights_(weights),
        cpu_{.requested = static_cast<double>(cpu)},
        memory_{.requested = static_cast<double>(memory)} {}

  static bool Serves(std::int64_t allocatable, std::int64_t used) {
    return allocatable > 0 && allocatable <= kMostAllocatable && used >= 0 && used <= kMostUsed;
  }
  // REQUIRES: Serves, of both; fewer than kMostNodes were added.
  void AddNode(std::int64_t cpu_allocatable, std::int64_t cpu_used, std::int64_t memory_allocatable,
               std::int64_t memory_used) {
    cpu_.Put(count_, cpu_allocatable, cpu_used);
    memory_.Put(count_, memory_allocatable, memory_used);
    ++count_;
  }
  std::size_t count() const { return count_; }

  // Of the i-th node that was added: least, most and balanced, each times its weight.
  double operator[](std::size_t i) const { return sums_[i]; }
  // After the last node. Cost: about 5 ns a node.
  void Compute();
  void Clear() { count_ = 0; }

 private:
  using Numbers = std::array<double, kMostNodes>;
  struct Resource {
    double requested = 0;
    Numbers allocatable = {};
    Numbers used = {};
    void Put(std::size_t i, std::int64_t whole, std::int64_t in_use) {
      allocatable[i] = static_cast<double>(whole);
      used[i] = static_cast<double>(in_use);
    }
  };
  void AddLeast();
  void AddMost();
  void AddBalanced();

  Weights weights_;
  Resource cpu_;
  Resource memory_;
  Numbers sums_ = {};
  std::size_t count_ = 0;
};

}  // namespace batholith
