#include "plugins/common/allocation_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "plugins/nodeorder/resource_score.h"

namespace batholith {
namespace {

// The scores one by one, as resource_score.h has them.
double OneByOne(const AllocationScores::Weights& weights, const std::array<Usage, 2>& usages) {
  double sum = 0;
  if (weights.least != 0)
    sum += static_cast<double>(weights.least) * static_cast<double>(LeastAllocatedScore(usages));
  if (weights.most != 0)
    sum += static_cast<double>(weights.most) * static_cast<double>(MostAllocatedScore(usages));
  if (weights.balanced != 0)
    sum += static_cast<double>(weights.balanced) * static_cast<double>(BalancedScore(usages));
  return sum;
}

TEST(AllocationScores, are_those_that_are_computed_one_by_one) {
  std::mt19937_64 random(1);
  // Amounts of every size, of which many are near a whole percent.
  const auto amount = [&](std::int64_t most) {
    const std::int64_t scale = std::int64_t{1} << (random() % 45);
    const auto draw = static_cast<std::int64_t>(random() % 101) * scale +
                      static_cast<std::int64_t>(random() % 3) - 1;
    return std::clamp<std::int64_t>(draw, 0, most);
  };
  for (int round = 0; round < 2000; ++round) {
    const AllocationScores::Weights weights{static_cast<std::int64_t>(random() % 3),
                                            static_cast<std::int64_t>(random() % 3),
                                            static_cast<std::int64_t>(random() % 3)};
    const std::int64_t cpu = amount(AllocationScores::kMostUsed);
    const std::int64_t memory = amount(AllocationScores::kMostUsed);
    constexpr std::size_t kNodes = 5;
    std::array<std::array<Usage, 2>, kNodes> nodes{};
    std::array<std::array<std::array<double, kNodes>, 3>, 2> columns{};
    for (std::size_t i = 0; i < kNodes; ++i) {
      for (std::size_t r = 0; r < 2; ++r) {
        const std::int64_t used = amount(AllocationScores::kMostUsed);
        const std::int64_t whole =
            std::max<std::int64_t>(amount(AllocationScores::kMostAllocatable), 1);
        nodes[i][r] = {used + (r == 0 ? cpu : memory), whole, used};
        auto& [allocatable, in_use, share] = columns[r];
        allocatable[i] = static_cast<double>(whole);
        in_use[i] = static_cast<double>(used);
        share[i] = std::min(in_use[i] / allocatable[i], 1.0);
        ASSERT_TRUE(
            AllocationScores::Serves({allocatable[i], allocatable[i]}, {in_use[i], in_use[i]}));
      }
    }
    std::array<double, kNodes> scores{};
    AllocationScores(weights, cpu, memory)
        .AddTo(scores, {{columns[0][0], columns[0][1], columns[0][2]},
                        {columns[1][0], columns[1][1], columns[1][2]}});
    for (std::size_t i = 0; i < kNodes; ++i)
      ASSERT_EQ(scores[i], OneByOne(weights, nodes[i])) << "round " << round << ", node " << i;
  }
}

TEST(AllocationScores, leave_to_others_what_doubles_cannot_tell) {
  EXPECT_FALSE(AllocationScores::Serves({0, 1000}, {0, 0}));
  EXPECT_FALSE(AllocationScores::Serves({1000, 1000}, {-1, 0}));
  EXPECT_FALSE(AllocationScores::Serves({1000, 0x1p63}, {0, 0}));
  EXPECT_FALSE(AllocationScores::Serves({1000, 1000}, {0, 0x1p51}));
  EXPECT_TRUE(AllocationScores::Serves({1, 0x1p45}, {0, 0x1p50}));
}

}  // namespace
}  // namespace batholith
