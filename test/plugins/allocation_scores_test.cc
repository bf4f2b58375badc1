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
    AllocationScores some(weights, cpu, memory);
    std::array<std::array<Usage, 2>, 5> nodes{};
    for (std::array<Usage, 2>& node : nodes) {
      for (std::size_t r = 0; r < 2; ++r) {
        const std::int64_t used = amount(AllocationScores::kMostUsed);
        node[r] = {used + (r == 0 ? cpu : memory),
                   std::max<std::int64_t>(amount(AllocationScores::kMostAllocatable), 1), used};
        ASSERT_TRUE(AllocationScores::Serves(node[r].allocatable, used));
      }
      some.AddNode(node[0].allocatable, node[0].before, node[1].allocatable, node[1].before);
    }
    some.Compute();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      ASSERT_EQ(some[i], OneByOne(weights, nodes[i])) << "round " << round << ", node " << i;
  }
}

TEST(AllocationScores, leave_to_others_what_doubles_cannot_tell) {
  EXPECT_FALSE(AllocationScores::Serves(0, 0));
  EXPECT_FALSE(AllocationScores::Serves(1000, -1));
  EXPECT_FALSE(AllocationScores::Serves(INT64_MAX, 0));
  EXPECT_TRUE(AllocationScores::Serves(std::int64_t{1} << 45, 0));
}

}  // namespace
}  // namespace batholith
