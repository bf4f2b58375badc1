#include "plugins/common/allocation_scores.h"

#include <algorithm>
#include <cmath>

#include "api/wide_loops.h"

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

// One resource of many nodes, and what the task asks for.
struct Resource {
  const double* allocatable;
  const double* used;
  const double* share;
  double asked;

  double Whole(std::size_t i) const { return allocatable[i]; }
  double UsedWith(std::size_t i) const { return std::min(used[i] + asked, allocatable[i]); }
  double ShareWith(std::size_t i) const {
    return std::min((used[i] + asked) / allocatable[i], 1.0);
  }
};

BATHOLITH_WIDE_LOOPS
void AddLeast(const Resource& cpu, const Resource& memory, double weight, std::size_t count,
              double* scores) {
  const auto part = [](const Resource& of, std::size_t i) {
    return Percent(of.Whole(i) - of.UsedWith(i), of.Whole(i));
  };
  for (std::size_t i = 0; i < count; ++i)
    scores[i] += weight * static_cast<double>((part(cpu, i) + part(memory, i)) / 2);
}

BATHOLITH_WIDE_LOOPS
void AddMost(const Resource& cpu, const Resource& memory, double weight, std::size_t count,
             double* scores) {
  const auto part = [](const Resource& of, std::size_t i) {
    return Percent(of.UsedWith(i), of.Whole(i));
  };
  for (std::size_t i = 0; i < count; ++i)
    scores[i] += weight * static_cast<double>((part(cpu, i) + part(memory, i)) / 2);
}

BATHOLITH_WIDE_LOOPS
void AddBalanced(const Resource& cpu, const Resource& memory, double weight, std::size_t count,
                 double* scores) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t with = Evenness(cpu.ShareWith(i), memory.ShareWith(i));
    const std::int32_t without = Evenness(cpu.share[i], memory.share[i]);
    scores[i] += weight * static_cast<double>(50 + (50 + with - without) / 2);
  }
}

}  // namespace

void AllocationScores::AddTo(std::span<double> scores, const Columns& nodes) const {
  const auto with = [](const Columns::Resource& of, double asked) {
    return Resource{of.allocatable.data(), of.used.data(), of.share.data(), asked};
  };
  const Resource cpu = with(nodes.cpu, cpu_);
  const Resource memory = with(nodes.memory, memory_);
  const std::size_t count = scores.size();
  const auto weight = [](std::int64_t of) { return static_cast<double>(of); };
  if (weights_.least != 0) AddLeast(cpu, memory, weight(weights_.least), count, scores.data());
  if (weights_.most != 0) AddMost(cpu, memory, weight(weights_.most), count, scores.data());
  if (weights_.balanced != 0)
    AddBalanced(cpu, memory, weight(weights_.balanced), count, scores.data());
}

}  // namespace batholith
