#include "framework/sub_group_counts.h"

#include <gtest/gtest.h>

namespace batholith {
namespace {

// all needs one of left and right; left needs two groups, right one.
std::vector<SubGroupPolicy> Tree() {
  std::vector<SubGroupPolicy> out(3);
  out[0].min_sub_groups = 1;
  out[1].min_sub_groups = 2;
  out[2].min_sub_groups = 1;
  out[1].part_of = out[2].part_of = 0;
  return out;
}

TEST(SubGroupCounts, what_has_its_minimum_counts_as_one_group_above) {
  const std::vector<SubGroupPolicy> policies = Tree();
  SubGroupCounts counts(policies);
  counts.Add(1);
  EXPECT_FALSE(counts.Met(1));
  EXPECT_EQ(counts.Missing(1), 1);
  EXPECT_FALSE(counts.Met());
  counts.Add(1);
  EXPECT_TRUE(counts.Met(1));
  EXPECT_TRUE(counts.Met());
  counts.Remove(1);
  EXPECT_FALSE(counts.Met());
}

TEST(SubGroupCounts, of_two_that_have_their_minimum_one_may_go) {
  const std::vector<SubGroupPolicy> policies = Tree();
  SubGroupCounts counts(policies);
  counts.Add(1);
  counts.Add(1);
  EXPECT_FALSE(counts.CanSpare(1));  // left is all that the whole has
  counts.Add(2);
  EXPECT_TRUE(counts.CanSpare(1));
  counts.Remove(1);  // left is none any more, and the rest of it counts nowhere
  EXPECT_TRUE(counts.CanSpare(1));
  EXPECT_FALSE(counts.CanSpare(2));
}

TEST(SubGroupCounts, a_policy_without_a_minimum_is_met_and_a_pod_of_no_policy_counts_nowhere) {
  std::vector<SubGroupPolicy> policies(1);
  SubGroupCounts counts(policies);
  EXPECT_TRUE(counts.Met());
  counts.Add(-1);
  counts.Add(0);
  EXPECT_TRUE(counts.CanSpare(0));
}

}  // namespace
}  // namespace batholith
