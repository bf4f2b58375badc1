#include "plugins/nodeorder/resource_score.h"

#include <gtest/gtest.h>

#include <vector>

#include "plugins/binpack/binpack.h"
#include "test/plugins/plugin_world.h"

namespace batholith {
namespace {

constexpr std::int64_t kMega = std::int64_t{1024} * 1024;

TEST(ResourceScore, LeastAllocatedIsTheMeanOfWhatIsLeft) {
  // (8 - 2) / 8 = 75, (16 - 4) / 16 = 75; and 91.67 and 92.97 rounded down first: (91 + 92) / 2.
  EXPECT_EQ(LeastAllocatedScore(std::vector<Usage>{{2, 8, 0}, {4, 16, 0}}), 75);
  EXPECT_EQ(LeastAllocatedScore(std::vector<Usage>{{1000, 12000, 0}, {2304, 32768, 0}}), 91);
}

TEST(ResourceScore, AResourceThatTheNodeLacksDoesNotCount) {
  EXPECT_EQ(LeastAllocatedScore(std::vector<Usage>{{2, 8, 0}, {4, 0, 0}}), 75);
  EXPECT_EQ(MostAllocatedScore(std::vector<Usage>{{2, 8, 0}, {4, 0, 0}}), 25);
  EXPECT_EQ(LeastAllocatedScore(std::vector<Usage>{{2, 0, 0}}), 0);
}

TEST(ResourceScore, OverCapacityCountsAsFull) {
  EXPECT_EQ(LeastAllocatedScore(std::vector<Usage>{{9, 8, 0}}), 0);
  EXPECT_EQ(MostAllocatedScore(std::vector<Usage>{{9, 8, 0}}), 100);
}

TEST(ResourceScore, HugeAmountsDoNotOverflow) {
  EXPECT_EQ(MostAllocatedScore(std::vector<Usage>{{INT64_MAX, INT64_MAX, 0}}), 100);
}

TEST(ResourceScore, BalanceComparesWithAndWithoutTheTask) {
  // Even before and after: 50 + (50 + 100 - 100) / 2.
  EXPECT_EQ(BalancedScore(std::vector<Usage>{{1, 2, 0}, {1, 2, 0}}), 75);
  // Shares 1/4 and 1/2 after, even before: 87 with, 100 without: 50 + 37 / 2.
  EXPECT_EQ(BalancedScore(std::vector<Usage>{{1, 4, 0}, {1, 2, 0}}), 68);
  // 1/4 and 1/2 before, even after: 100 with, 87 without: 50 + 63 / 2.
  EXPECT_EQ(BalancedScore(std::vector<Usage>{{2, 4, 1}, {1, 2, 1}}), 81);
}

TEST(ResourceScore, ImagesCountFrom23To1000MegabytesAContainer) {
  EXPECT_EQ(ImageScore(23 * kMega, 1), 0);
  EXPECT_EQ(ImageScore(1000 * kMega, 1), 100);
  EXPECT_EQ(ImageScore(5000 * kMega, 1), 100);
  EXPECT_EQ(ImageScore(1000 * kMega, 2), 49);  // 977 / 1977
  EXPECT_EQ(ImageScore(1000 * kMega, 0), 0);
}

struct BinpackCase {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::string cpu_weight;
  double score = 0;
};

// A node of cpu 8, used 4, and memory 16, used 4.
double BinpackScore(const BinpackCase& c) {
  PluginWorld world;
  world.AddNode("n1", 8000).allocatable["memory"] = 16;
  world.AddGroup("job", 1);
  world.AddPod("job", "n1").request = {{"cpu", 4000}, {"memory", 4}};
  world.AddPod("job", "").request = {{"cpu", c.cpu}, {"memory", c.memory}};
  world.Open(BinpackPlugin(), {{"binpack.cpu", c.cpu_weight}});
  const NodeIndex node(0);
  double score = 0;
  world.As<NodeOrder>().Score(TaskIndex(1), std::span(&node, 1), std::span(&score, 1));
  return score;
}

TEST(Binpack, ScoreIsTheWeightedShareInUse) {
  EXPECT_DOUBLE_EQ(BinpackScore({2000, 4, "1"}), 62.5);        // (6/8 + 8/16) / 2
  EXPECT_NEAR(BinpackScore({2000, 4, "5"}), 425.0 / 6, 1e-9);  // (5 × 0.75 + 0.5) / 6
  EXPECT_EQ(BinpackScore({5000, 1, "1"}), 0);                  // 9 cpus of 8
}

}  // namespace
}  // namespace batholith
