#include "api/quantity.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/resource_schema.h"

namespace batholith {
namespace {

struct QuantityRow {
  std::string_view text;
  std::int64_t scale;
  std::int64_t amount;
};

TEST(Quantity, reads_every_suffix_exactly) {
  const std::vector<QuantityRow> rows{
      {"0", 1, 0},
      {"-0", 1, 0},
      {"+1", 1, 1},
      {"-3", 1, -3},
      {"1", 1000, 1000},
      {"500m", 1000, 500},
      {"1.5", 1000, 1500},
      {".5", 1000, 500},
      {"5.", 1000, 5000},
      {"250000u", 1000, 250},
      {"250000000n", 1000, 250},
      {"1k", 1, 1'000},
      {"1M", 1, 1'000'000},
      {"1G", 1, 1'000'000'000},
      {"1T", 1, 1'000'000'000'000},
      {"1P", 1, 1'000'000'000'000'000},
      {"1E", 1, 1'000'000'000'000'000'000},
      {"1Ki", 1, 1'024},
      {"1Mi", 1, 1'048'576},
      {"1Gi", 1, 1'073'741'824},
      {"1.5Gi", 1, 1'610'612'736},
      {"1Ti", 1, 1'099'511'627'776},
      {"1Pi", 1, 1'125'899'906'842'624},
      {"1Ei", 1, 1'152'921'504'606'846'976},
      {"7.5Ei", 1, 8'646'911'284'551'352'320},
      {"129e6", 1, 129'000'000},
      {"129E6", 1, 129'000'000},
      {"1e+3", 1, 1'000},
      {"1E-3", 1000, 1},
      {"128974848000m", 1, 128'974'848},
      {"007", 1, 7},
      {"9223372036854775807", 1, INT64_MAX},
      // More digits than any machine word, but in range.
      {"1300000000000000000000000000n", 1, 1'300'000'000'000'000'000},
      {"1.00000000000000000000000000000000000000Ei", 1, 1'152'921'504'606'846'976},
      {"100000000000000000000000000000000e-30", 1, 100},
  };
  for (const QuantityRow& row : rows) {
    const Result<std::int64_t> amount = ParseQuantity(row.text, row.scale);
    ASSERT_TRUE(amount.has_value()) << row.text << ": " << amount.error().message;
    EXPECT_EQ(*amount, row.amount) << row.text;
  }
}

TEST(Quantity, rounds_away_from_zero) {
  const std::vector<QuantityRow> rows{
      {"0.1", 1, 1},          {"-0.1", 1, -1},
      {"1.0001", 1000, 1001}, {"-1.0001", 1000, -1001},
      {"1n", 1000, 1},        {"1500m", 1, 2},
      {"1e-1000", 1, 1},      {"0e-1000", 1, 0},
      {"0.0001", 10, 1},      {"1.00000000000000000000000000000000000001", 1, 2},
  };
  for (const QuantityRow& row : rows)
    EXPECT_EQ(ParseQuantity(row.text, row.scale), row.amount) << row.text;
}

TEST(Quantity, refuses_what_is_no_quantity) {
  for (const std::string_view text :
       {"",     "-",   "+",   ".",   "abc",   "2c",    "1 ",    " 1",  "1Kib",
        "1ki",  "1Zi", "1e",  "1e+", "1e+-5", "1e5.5", "1.2.3", "--1", "+-1",
        "0x10", "1,5", "NaN", "inf", "1mm",   "Gi",    "1e5Gi"}) {
    const Result<std::int64_t> amount = ParseQuantity(text, 1);
    ASSERT_FALSE(amount.has_value()) << text;
    EXPECT_NE(amount.error().message.find("is not a quantity"), std::string::npos) << text;
  }
}

TEST(Quantity, refuses_what_is_out_of_range) {
  for (const std::string_view text :
       {"9223372036854775808", "-9223372036854775808", "8Ei", "10E", "1e19", "1e400",
        "1e99999999999999", "99999999999999999999999999999999999999", "9223372036854775807.1"}) {
    const Result<std::int64_t> amount = ParseQuantity(text, 1);
    ASSERT_FALSE(amount.has_value()) << text;
    EXPECT_NE(amount.error().message.find("is out of range"), std::string::npos) << text;
  }
  // In range as bytes, out of it in thousandths.
  EXPECT_TRUE(ParseQuantity("10P", 1).has_value());
  EXPECT_FALSE(ParseQuantity("10P", 1000).has_value());
}

TEST(Quantity, an_endless_number_is_refused_at_once) {
  const Result<std::int64_t> amount = ParseQuantity(std::string(50'000'000, '9'), 1);
  ASSERT_FALSE(amount.has_value());
  EXPECT_LT(amount.error().message.size(), 200U);
}

TEST(Quantity, formats_what_it_reads) {
  struct Shown {
    std::string_view resource;
    std::string_view text;
  };
  for (const Shown& s : std::vector<Shown>{{"cpu", "8"},
                                           {"cpu", "500m"},
                                           {"cpu", "0"},
                                           {"memory", "4Gi"},
                                           {"memory", "1000"},
                                           {"memory", "1536Mi"},
                                           {"pods", "110"},
                                           {"nvidia.com/gpu", "2"},
                                           {"nvidia.com/gpu", "250m"},
                                           {"hugepages-2Mi", "6Mi"}}) {
    const Result<std::int64_t> amount = ParseQuantity(s.text, ResourceScale(s.resource));
    ASSERT_TRUE(amount.has_value()) << s.text;
    EXPECT_EQ(FormatQuantity(*amount, s.resource), s.text);
  }
}

TEST(ResourceSchema, fixed_names_come_first_and_the_others_in_order) {
  const ResourceSchema schema({"nvidia.com/gpu", "memory", "amd.com/gpu", "amd.com/gpu", "pods"});
  ASSERT_EQ(schema.size(), 5U);
  EXPECT_EQ(schema.name(ResourceSchema::kCpu), "cpu");
  EXPECT_EQ(schema.name(ResourceSchema::kMemory), "memory");
  EXPECT_EQ(schema.name(ResourceSchema::kPods), "pods");
  EXPECT_EQ(schema.name(3), "amd.com/gpu");
  EXPECT_EQ(schema.Find("nvidia.com/gpu"), 4U);
  EXPECT_EQ(schema.Find("no.such/thing"), std::nullopt);
}

TEST(Quantity, every_spelling_is_exact) {
  const QuantityRow cases[] = {{"1", 1000, 1000},
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
  for (const QuantityRow& c : cases) {
    const Result<std::int64_t> got = ParseQuantity(c.text, c.scale);
    ASSERT_TRUE(got) << c.text;
    EXPECT_EQ(*got, c.amount) << c.text;
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

TEST(Quantity, what_is_out_of_range_can_be_cut_off) {
  EXPECT_EQ(ParseQuantityCutOff("9223372036854775807", 1000), INT64_MAX);
  EXPECT_EQ(ParseQuantityCutOff("-1e99", 1), -INT64_MAX);
  EXPECT_EQ(ParseQuantityCutOff("500m", 1000), 500);
  EXPECT_FALSE(ParseQuantityCutOff("2c", 1000));
}

}  // namespace
}  // namespace batholith
