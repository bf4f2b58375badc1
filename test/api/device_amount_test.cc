#include "api/device_amount.h"

#include <gtest/gtest.h>

namespace batholith {
namespace {

TEST(DeviceAmount, an_amount_reads_back_as_it_is_written) {
  for (const char* text :
       {"0", "8", "80Gi", "500m", "1500n", "-3", "7u", "7Ei", "1234567890123m"}) {
    const Result<DeviceAmount> amount = ParseDeviceAmount(text);
    ASSERT_TRUE(amount) << text;
    EXPECT_EQ(DeviceAmountText(*amount), text);
  }
}

TEST(DeviceAmount, equal_amounts_are_equal_however_they_are_written) {
  EXPECT_EQ(*ParseDeviceAmount("1Gi"), *ParseDeviceAmount("1024Mi"));
  EXPECT_EQ(*ParseDeviceAmount("1.5"), *ParseDeviceAmount("1500m"));
  EXPECT_EQ(*ParseDeviceAmount("64Ti"), kOneUnit * 64 * 1024 * 1024 * 1024 * 1024);
  // 2^63 - 1 units are the most that there can be.
  EXPECT_EQ(*ParseDeviceAmount("1e30"), kOneUnit * INT64_MAX);
  EXPECT_FALSE(ParseDeviceAmount("many"));
}

}  // namespace
}  // namespace batholith
