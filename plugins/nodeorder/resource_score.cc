#include "plugins/nodeorder/resource_score.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "api/resource_vector.h"

namespace batholith {
namespace {

constexpr std::int64_t kMaxPoints = 100;

std::int64_t Percent(std::int64_t part, std::int64_t whole) {
  while (whole > INT64_MAX / kMaxPoints) {  // keeps the product within 64 bits
    whole /= 2;
    part /= 2;
  }
  return part * kMaxPoints / whole;
}

template <typename Score>
std::int64_t Mean(std::span<const Usage> usages, Score score) {
  std::int64_t sum = 0;
  std::int64_t count = 0;
  for (const Usage& u : usages) {
    if (u.allocatable <= 0) continue;
    sum += score(u);
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

// 100 × (1 − standard deviation of the shares in use).
std::int64_t Evenness(std::span<const Usage> usages, std::int64_t Usage::* amount) {
  const auto share = [&](const Usage& u) {
    return std::min(static_cast<double>(u.*amount) / static_cast<double>(u.allocatable), 1.0);
  };
  std::array<double, ResourceVector::kMaxDimensions> all;
  std::size_t count_of_all = 0;
  for (const Usage& u : usages) {
    if (u.allocatable > 0) all[count_of_all++] = share(u);
  }
  const std::span<const double> shares(all.data(), count_of_all);
  double deviation = 0;
  if (shares.size() == 2) {  // the same figure without the rounding of a root
    deviation = std::abs((shares[0] - shares[1]) / 2);
  } else if (shares.size() > 2) {
    double sum = 0;
    for (const double s : shares) sum += s;
    const auto count = static_cast<double>(shares.size());
    double squares = 0;
    for (const double s : shares) squares += (s - sum / count) * (s - sum / count);
    deviation = std::sqrt(squares / count);
  }
  return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kMaxPoints));
}

}  // namespace

std::int64_t LeastAllocatedScore(std::span<const Usage> usages) {
  return Mean(usages, [](const Usage& u) {
    const std::int64_t used = std::clamp<std::int64_t>(u.requested, 0, u.allocatable);
    return Percent(u.allocatable - used, u.allocatable);
  });
}

std::int64_t MostAllocatedScore(std::span<const Usage> usages) {
  return Mean(usages, [](const Usage& u) {
    return Percent(std::clamp<std::int64_t>(u.requested, 0, u.allocatable), u.allocatable);
  });
}

std::int64_t BalancedScore(std::span<const Usage> usages) {
  constexpr std::int64_t kHalf = kMaxPoints / 2;
  const std::int64_t with = Evenness(usages, &Usage::requested);
  const std::int64_t without = Evenness(usages, &Usage::before);
  return kHalf + (kHalf + with - without) / 2;
}

std::int64_t ImageScore(std::int64_t sum_bytes, std::int64_t containers) {
  constexpr std::int64_t kMega = std::int64_t{1024} * 1024;
  constexpr std::int64_t kLeast = 23 * kMega;
  constexpr std::int64_t kMostPerContainer = 1000 * kMega;
  if (containers <= 0) return 0;
  const std::int64_t most = kMostPerContainer * containers;
  return Percent(std::clamp(sum_bytes, kLeast, most) - kLeast, most - kLeast);
}

}  // namespace batholith
