#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "test/quota/vectors.h"

// Counts the vectors once all tests have run: each is run by one of them or is a gap with a reason.
namespace batholith {
namespace {

constexpr std::size_t kVectors = 452;

class EachVectorIsRun final : public testing::Environment {
 public:
  void TearDown() override {
    const bool all_tests =
        GTEST_FLAG_GET(filter) == "*" && std::getenv("GTEST_TOTAL_SHARDS") == nullptr;
    if (!HasQuotaVectors() || !all_tests) return;
    std::set<std::string> left = AllQuotaVectors();
    EXPECT_EQ(left.size(), kVectors);
    for (const std::string& id : LoadedQuotaVectors()) left.erase(id);
    std::size_t whole = 0;
    for (const QuotaVectorGap& gap : QuotaVectorGaps()) {
      const std::string id(gap.id);
      std::cout << "vector " << id << (gap.whole ? " is not run: " : " is run in part: ")
                << gap.reason << '\n';
      EXPECT_FALSE(gap.reason.empty()) << id;
      EXPECT_EQ(left.erase(id), gap.whole ? 1U : 0U) << id << " is no vector, or is run after all";
      EXPECT_TRUE(gap.whole || LoadedQuotaVectors().contains(id)) << id << " is no vector";
      whole += gap.whole ? 1 : 0;
    }
    for (const std::string& id : left) ADD_FAILURE() << "vector " << id << " is not run";
    std::cout << kVectors - whole << " vectors run, " << whole << " not\n";
  }
};

// GoogleTest owns it.
[[maybe_unused]] const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new EachVectorIsRun);

}  // namespace
}  // namespace batholith
