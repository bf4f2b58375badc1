#include "api/quantity.h"

#include <gtest/gtest.h>

namespace batholith {
namespace {

struct Case {
  const char* text;
  std::int64_t scale;
  std::int64_t base_units;
};

TEST(Quantity, every_spelling_is_exact) {
  const Case cases[] = {{"1", 1000, 1000},
                        {"500m", 1000, 500},
                        {"1.5", 1000, 1500},
                        {"0.0001", 1000, 1},  // rounded away from zero
                        {"129e6", 1, 129000000},
                        {"129M", 1, 129000000},
                        {"123Mi", 1, 128974848},
                        {"128974848000m", 1, 128974848},
                        {"1Ei", 1, 1152921504606846976},
                        {"-3", 1000, -3000},
                        {"+2k", 1, 2000},
                        {"100n", 1000, 1},
                        {".5", 1000, 500}};
  for (const Case& c : cases) {
    const Result<std::int64_t> got = ParseQuantity(c.text, c.scale);
    ASSERT_TRUE(got) << c.text;
    EXPECT_EQ(*got, c.base_units) << c.text;
  }
}

TEST(Quantity, what_is_none_is_an_error_that_shows_it) {
  for (const char* text : {"", "2c", "m", "1.2.3", "1e", "0x10", "Gi", "9e30", "99Ei", "1 Gi"}) {
    EXPECT_FALSE(ParseQuantity(text, 1000)) << text;
  }
  EXPECT_NE(ParseQuantity("2c", 1000).error().message.find("2c"), std::string::npos);
}

TEST(Quantity, is_written_as_a_person_would) {
  EXPECT_EQ(FormatQuantity(8000, "cpu"), "8");
  EXPECT_EQ(FormatQuantity(1500, "cpu"), "1500m");
  EXPECT_EQ(FormatQuantity(4LL << 30, "memory"), "4Gi");
  EXPECT_EQ(FormatQuantity(1000000000, "memory"), "1000000000");
  EXPECT_EQ(FormatQuantity(2000, "nvidia.com/gpu"), "2");
}

}  // namespace
}  // namespace batholith
