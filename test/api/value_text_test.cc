#include "api/value_text.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace batholith {
namespace {

using std::chrono::nanoseconds;

TEST(ValueText, durations_are_read_as_go_reads_them) {
  using namespace std::chrono_literals;
  EXPECT_EQ(ParseGoDuration("1h30m"), nanoseconds(90min));
  EXPECT_EQ(ParseGoDuration("100ms"), nanoseconds(100ms));
  EXPECT_EQ(ParseGoDuration("1.5s"), nanoseconds(1500ms));
  EXPECT_EQ(ParseGoDuration(".5m"), nanoseconds(30s));
  EXPECT_EQ(ParseGoDuration("-2us"), nanoseconds(-2us));
  EXPECT_EQ(ParseGoDuration("0.123456789h"), nanoseconds(444444440400));
  EXPECT_EQ(ParseGoDuration("1.9ns"), nanoseconds(1));
  EXPECT_EQ(ParseGoDuration("0"), nanoseconds(0));
  for (const std::string_view bad :
       {"", "5", "m", "1d", ".s", "1..5s", "1h 30m", "--1s", "9999999999h", "+"}) {
    EXPECT_EQ(ParseGoDuration(bad), std::nullopt) << bad;
  }
}

TEST(ValueText, numbers_are_the_whole_text) {
  EXPECT_EQ(ParseNumber<std::int64_t>("-7"), -7);
  EXPECT_EQ(ParseNumber<std::uint16_t>("65535"), 65535);
  EXPECT_EQ(ParseNumber<double>("1e3"), 1000);
  for (const std::string_view bad : {"", " 7", "+7", "7x", "0x7", "9223372036854775808"})
    EXPECT_EQ(ParseNumber<std::int64_t>(bad), std::nullopt) << bad;
  EXPECT_EQ(ParseNumber<std::uint16_t>("65536"), std::nullopt);
  EXPECT_EQ(ParseGoInt("+7"), 7);
  EXPECT_EQ(ParseGoInt("+-7"), std::nullopt);
  EXPECT_EQ(ParseInt(" +7\t"), 7);
  std::string_view list = "12-x";
  EXPECT_EQ(TakeNumber(list), 12);
  EXPECT_EQ(list, "-x");
  EXPECT_EQ(TakeNumber(list), std::nullopt);
  EXPECT_EQ(list, "-x");
  EXPECT_EQ(ParseHexByte("fF"), 255);
  for (const std::string_view bad : {"", "f", "fff", "-1", "g0"})
    EXPECT_EQ(ParseHexByte(bad), std::nullopt) << bad;
}

TEST(ValueText, booleans_have_the_spellings_of_who_wrote_them) {
  EXPECT_EQ(ParseGoBool("T"), true);
  EXPECT_EQ(ParseGoBool("0"), false);
  EXPECT_EQ(ParseYamlBool("TRUE"), true);
  EXPECT_EQ(ParseBool(" Off "), false);
  for (const std::string_view bad : {"", "yes", "tRUE", " true"})
    EXPECT_EQ(ParseGoBool(bad), std::nullopt) << bad;
  for (const std::string_view bad : {"", "1", "t", "yes"})
    EXPECT_EQ(ParseYamlBool(bad), std::nullopt) << bad;
}

TEST(ValueText, time_ranges_are_seconds_of_a_day) {
  const auto night = ParseTimeRange("22:00 - 6:30");
  ASSERT_TRUE(night.has_value());
  EXPECT_EQ(night->start, 79'200);
  EXPECT_EQ(night->end, 23'400);
  for (const std::string_view bad : {"", "22:00", "24:00-01:00", "1:60-2:00", "a-b", "1:0-2:00"})
    EXPECT_FALSE(ParseTimeRange(bad).has_value()) << bad;
}

}  // namespace
}  // namespace batholith
