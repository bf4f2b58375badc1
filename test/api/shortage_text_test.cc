#include "api/shortage_text.h"

#include <gtest/gtest.h>

namespace batholith {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;
constexpr std::int64_t kGi = std::int64_t{1} << 30;

TEST(ShortageText, has_all_amounts_in_one_unit_and_is_true_as_it_reads) {
  struct Row {
    const char* resource;
    std::int64_t held, asked, limit;
    const char* text;
  };
  const Row rows[] = {
      {"cpu", 4000, 20'000, 19'200, "4 held + 20 asked > 19.2"},
      {"cpu", 8000, 2000, 9000, "8 held + 2 asked > 9"},
      {"cpu", 500, 500, 800, "500m held + 500m asked > 800m"},
      {"cpu", 0, 1500, 800, "0 held + 1.5 asked > 0.8"},
      {"cpu", 0, 1001, 1000, "0 held + 1.001 asked > 1"},
      {"nvidia.com/gpu", 7000, 2000, 8000, "7 held + 2 asked > 8"},
      {"pods", 109, 2, 110, "109 held + 2 asked > 110"},
      // 1.2 × 16Gi, rounded down to whole bytes.
      {"memory", 8 * kGi, 12 * kGi, 20'615'843'020, "8Gi held + 12Gi asked > 19.2Gi"},
      {"memory", 512 * kMi, kGi, 1280 * kMi, "0.5Gi held + 1Gi asked > 1.25Gi"},
      // Of a ResourceQuota, in thousandths.
      {"requests.memory", 4 * kGi * 1000, kGi * 1000, 4 * kGi * 1000, "4Gi held + 1Gi asked > 4Gi"},
      // In Gi the line would read 100 + 0 > 100.
      {"memory", 100 * kGi, kMi, 100 * kGi, "102400Mi held + 1Mi asked > 102400Mi"},
      {"memory", kGi, 1, kGi, "1073741824 held + 1 asked > 1073741824"},
      {"memory", 0, INT64_MAX, 8 * kGi, "0 held + 8589934592Gi asked > 8Gi"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(ShortageText(row.resource, row.held, row.asked, row.limit).text(), row.text);
}

TEST(ShortageText, says_other_amounts_in_its_unit) {
  const ShortageText text("memory", 8 * kGi, 12 * kGi, 20'615'843'020);
  EXPECT_EQ(text.Amount(16 * kGi), "16Gi");
  EXPECT_EQ(text.Amount(512 * kMi), "0.5Gi");
  EXPECT_EQ(text.Amount(0), "0");
}

}  // namespace
}  // namespace batholith
