#include "plugins/common/allocation_scores.h"

#include <algorithm>
#include <cmath>

namespace batholith {
namespace {

constexpr double kMaxScore = 100;

std::int32_t Percent(double part, double whole) {
  return static_cast<std::int32_t>(part * kMaxScore / whole);
}

// 100 × (1 − standard deviation of the two shares).
std::int32_t Evenness(double a, double b) {
  return static_cast<std::int32_t>((1 - std::abs(a - b) / 2) * kMaxScore);
}

double Product(std::int64_t weight, std::int32_t score) {
  return static_cast<double>(weight) * static_cast<double>(score);
}

}  // namespace

void AllocationScores::Compute() {
  std::fill_n(sums_.begin(), count_, 0);
  if (weights_.least != 0) AddLeast();
  if (weights_.most != 0) AddMost();
  if (weights_.balanced != 0) AddBalanced();
}

void AllocationScores::AddLeast() {
  const auto part = [](const Resource& of, std::size_t i) {
    const double used = std::min(of.used[i] + of.requested, of.allocatable[i]);
    return Percent(of.allocatable[i] - used, of.allocatable[i]);
  };
  for (std::size_t i = 0; i < count_; ++i)
    sums_[i] += Product(weights_.least, (part(cpu_, i) + part(memory_, i)) / 2);
}

void AllocationScores::AddMost() {
  const auto part = [](const Resource& of, std::size_t i) {
    return Percent(std::min(of.used[i] + of.requested, of.allocatable[i]), of.allocatable[i]);
  };
  for (std::size_t i = 0; i < count_; ++i)
    sums_[i] += Product(weights_.most, (part(cpu_, i) + part(memory_, i)) / 2);
}

void AllocationScores::AddBalanced() {
  const auto share = [](double amount, double whole) { return std::min(amount / whole, 1.0); };
  for (std::size_t i = 0; i < count_; ++i) {
    const std::int32_t with =
        Evenness(share(cpu_.used[i] + cpu_.requested, cpu_.allocatable[i]),
                 share(memory_.used[i] + memory_.requested, memory_.allocatable[i]));
    const std::int32_t without = Evenness(share(cpu_.used[i], cpu_.allocatable[i]),
                                          share(memory_.used[i], memory_.allocatable[i]));
    sums_[i] += Product(weights_.balanced, 50 + (50 + with - without) / 2);
  }
}

}  // namespace batholith
