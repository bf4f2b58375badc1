#include "quota/revoke.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace batholith {
namespace {

ResourceVector TwoAmounts(std::int64_t first, std::int64_t second) {
  ResourceVector out;
  out[0] = first;
  out[1] = second;
  return out;
}

// The least important pod comes first.
TEST(PlanRevocation, only_what_helps_leaves) {
  struct Row {
    std::string name;
    std::vector<ResourceVector> pods;
    ResourceVector used;
    std::int64_t limits[2];
    std::vector<std::size_t> leave;
  };
  const std::vector<Row> rows{
      {"within the limit", {TwoAmounts(25, 0)}, TwoAmounts(50, 0), {50, 0}, {}},
      {"the first by importance",
       {TwoAmounts(25, 0), TwoAmounts(25, 0)},
       TwoAmounts(75, 0),
       {50, 0},
       {0}},
      {"what fits again is put back, most important first",
       {TwoAmounts(40, 0), TwoAmounts(20, 0), TwoAmounts(10, 1), TwoAmounts(20, 0)},
       TwoAmounts(90, 1),
       {50, 0},
       {2, 0}},
      {"nothing is enough: all that help",
       {TwoAmounts(1, 0), TwoAmounts(0, 1), TwoAmounts(1, 1)},
       TwoAmounts(9, 9),
       {0, 50},
       {0, 2}},
      {"who gives back nothing of it stays", {TwoAmounts(5, 0)}, TwoAmounts(5, 1), {50, 0}, {}},
  };
  for (const Row& row : rows) {
    std::vector<QuotaPod> pods;
    for (const ResourceVector& request : row.pods) pods.push_back({request, 0, true});
    std::vector<const QuotaPod*> pointers;
    for (const QuotaPod& pod : pods) pointers.push_back(&pod);
    ResourceLimits limit;
    for (std::size_t r = 0; r < 2; ++r) limit[r] = row.limits[r];
    EXPECT_EQ(PlanRevocation(row.used, limit, 3, 2, pointers), row.leave) << row.name;
  }
}

}  // namespace
}  // namespace batholith
