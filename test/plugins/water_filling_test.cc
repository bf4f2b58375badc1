#include "plugins/proportion/water_filling.h"

#include <gtest/gtest.h>

#include "test/plugins/amounts.h"

namespace batholith {
namespace {

WaterFillingQueue Queue(std::int64_t weight, ResourceVector request) {
  WaterFillingQueue q;
  q.weight = weight;
  q.request = request;
  return q;
}

// Reference A1: total 16 cpu, 64 memory. q1 asks (5, 5): met in round 1. q2 gets (8, 20), then what
// remains of the cpus.
TEST(WaterFilling, what_one_queue_does_not_want_goes_to_the_other_by_dimension) {
  std::vector<WaterFillingQueue> queues{Queue(1, Of(5, 5)), Queue(1, Of(20, 20))};
  FillWater(Of(16, 64), 2, queues);
  EXPECT_EQ(queues[0].deserved, Of(5, 5));
  EXPECT_EQ(queues[1].deserved, Of(11, 20));
}

// Reference A2: q1 keeps its guarantee of 4 though it asks for 1; q2 gets the other 6.
TEST(WaterFilling, a_guarantee_is_kept_though_nobody_asks_for_it) {
  std::vector<WaterFillingQueue> queues{Queue(1, Of(1, 0)), Queue(1, Of(20, 0))};
  queues[0].guarantee = Of(4, 0);
  queues[0].real_capability[0] = 10;
  queues[1].real_capability[0] = 6;
  FillWater(Of(10, 0), 1, queues);
  EXPECT_EQ(queues[0].deserved[0], 4);
  EXPECT_EQ(queues[1].deserved[0], 6);
}

// 4000 millicores, weights 1/1/5: q3 asks for 2000 only, so q1 and q2 get 1000 each, to the
// millicore.
TEST(WaterFilling, nothing_is_lost_to_rounding) {
  std::vector<WaterFillingQueue> queues{Queue(1, Of(4000, 0)), Queue(1, Of(4000, 0)),
                                        Queue(5, Of(2000, 0))};
  FillWater(Of(4000, 0), 1, queues);
  EXPECT_EQ(queues[0].deserved[0], 1000);
  EXPECT_EQ(queues[1].deserved[0], 1000);
  EXPECT_EQ(queues[2].deserved[0], 2000);
}

// Weights of 1 and 65535 over 5 units: the rounds end, and the light queue still gets what the
// heavy one leaves.
TEST(WaterFilling, extreme_weights_end) {
  std::vector<WaterFillingQueue> queues{Queue(1, Of(10, 0)), Queue(65535, Of(3, 0))};
  FillWater(Of(5, 0), 1, queues);
  EXPECT_EQ(queues[0].deserved[0], 2);
  EXPECT_EQ(queues[1].deserved[0], 3);
}

// Found by the fuzzer: the product of a total that is the largest amount and a weight of 10^9 is
// wider than 128 bits.
TEST(WaterFilling, the_largest_total_is_shared_by_the_largest_weights) {
  std::vector<WaterFillingQueue> queues{Queue(1'000'000'000, Of(INT64_MAX, 0)),
                                        Queue(1'000'000'000, Of(INT64_MAX, 0))};
  FillWater(Of(INT64_MAX, 0), 1, queues);
  EXPECT_EQ(queues[0].deserved[0], INT64_MAX / 2);  // the half of an odd number, rounded down
  EXPECT_EQ(queues[1].deserved[0], INT64_MAX / 2);
}

TEST(WaterFilling, a_guarantee_beyond_the_cluster_does_no_harm) {
  std::vector<WaterFillingQueue> queues{Queue(1, Of(2000, 0)), Queue(1, Of(2000, 0))};
  queues[0].guarantee = Of(10'000'000, 0);
  FillWater(Of(4000, 0), 1, queues);
  EXPECT_GE(queues[1].deserved[0], 0);
}

}  // namespace
}  // namespace batholith
