#include "api/resource_table.h"

#include <gtest/gtest.h>

#include <utility>

#include "api/resource_pool.h"

namespace batholith {
namespace {

ResourceVector Amounts(std::int64_t a, std::int64_t b, std::int64_t c) {
  ResourceVector out;
  out[0] = a;
  out[1] = b;
  out[2] = c;
  return out;
}

TEST(ResourceVector, has_zero_where_nothing_was_set) {
  ResourceVector few;
  few[1] = 5;
  EXPECT_EQ(few.width(), 2U);
  EXPECT_EQ(std::as_const(few)[31], 0);
  EXPECT_EQ(few, Amounts(0, 5, 0)) << "zeros at the end do not count";
  EXPECT_NE(few, Amounts(0, 5, 1));
  few += Amounts(1, 1, -1);
  EXPECT_EQ(few, Amounts(1, 6, -1));
  EXPECT_EQ(few.ClampedAtZero(), Amounts(1, 6, 0));
  EXPECT_TRUE(ResourceVector().FitsIn(few));
  EXPECT_FALSE(Amounts(0, 7, 0).FitsIn(few));
}

TEST(ResourceTable, changes_one_row_at_a_time_and_saturates) {
  ResourceTable table(3, 3);
  table.Set(1, Amounts(4, 5, 6));
  table.Add(1, Amounts(1, 0, INT64_MAX));
  table.Subtract(2, Amounts(1, 2, 3));
  EXPECT_EQ(ResourceVector(table[0]), ResourceVector());
  EXPECT_EQ(ResourceVector(table[1]), Amounts(5, 5, INT64_MAX));
  EXPECT_EQ(ResourceVector(table[2]), Amounts(-1, -2, -3));
}

TEST(ResourcePool, keeps_equal_amounts_once_and_where_they_are) {
  ResourcePool pool;
  const SharedResources one = pool.Intern(Amounts(1, 2, 0));
  ResourceVector narrow;
  narrow[0] = 1;
  narrow[1] = 2;
  EXPECT_TRUE(one.Same(pool.Intern(narrow))) << "zeros at the end do not count";
  for (std::int64_t i = 0; i < 1000; ++i) pool.Intern(Amounts(i, 9, 9));
  EXPECT_EQ(*one, Amounts(1, 2, 0));
  EXPECT_FALSE(one.Same(pool.Intern(Amounts(1, 2, 1))));
  EXPECT_EQ(SharedResources()[0], 0);
}

}  // namespace
}  // namespace batholith
