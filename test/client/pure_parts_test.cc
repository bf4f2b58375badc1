// The parts of the client that need no server and no clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "client/access/base64.h"
#include "client/http/backoff.h"
#include "client/http/rate_limit.h"
#include "client/http/timers.h"

namespace batholith {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

TEST(Base64, reads_what_it_writes_and_refuses_the_rest) {
  std::mt19937_64 random(5);
  for (std::size_t length = 0; length < 50; ++length) {
    std::string bytes(length, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_EQ(DecodeBase64(EncodeBase64(bytes)), bytes);
  }
  EXPECT_EQ(EncodeBase64("hello"), "aGVsbG8=");
  EXPECT_EQ(DecodeBase64("aGVs\nbG8=\n"), "hello");
  for (const char* bad : {"a", "ab", "abc", "ab=", "ab===", "=abc", "a=bc", "ab%d", "abcde==="})
    EXPECT_EQ(DecodeBase64(bad), std::nullopt) << bad;
}

// 2 a second, 3 at once: three go at 0, then one each 500 ms.
TEST(RateLimit, lets_a_burst_through_and_then_an_even_pace) {
  const RateLimit::TimePoint start(std::chrono::seconds(1000));
  RateLimit limit(2, 3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.Take(start)) << i;
  EXPECT_FALSE(limit.Take(start));
  EXPECT_EQ(limit.NextAt(), start + milliseconds(500));
  EXPECT_FALSE(limit.Take(start + milliseconds(499)));
  EXPECT_TRUE(limit.Take(start + milliseconds(500)));
  EXPECT_FALSE(limit.Take(start + milliseconds(500)));
  // After a pause the burst is there again, and no more than that.
  const RateLimit::TimePoint later = start + std::chrono::hours(1);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.Take(later)) << i;
  EXPECT_FALSE(limit.Take(later));
}

TEST(RateLimit, a_rate_of_nothing_is_no_limit) {
  for (const double qps : {0.0, -1.0}) {
    RateLimit limit(qps, 1);
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(limit.Take(RateLimit::TimePoint()));
  }
  RateLimit smallest(1e-300, 2'000'000'000);
  EXPECT_TRUE(smallest.Take(RateLimit::TimePoint(std::chrono::hours(1))));
}

// 100, 200, 400, 500, 500, each between its half and its whole.
TEST(Backoff, doubles_up_to_the_most_and_jitters_downwards) {
  Backoff backoff(milliseconds(100), milliseconds(500), 3);
  for (const int whole : {100, 200, 400, 500, 500}) {
    const auto wait = backoff.Next().count();
    EXPECT_TRUE(wait >= whole / 2 && wait <= whole) << wait << " of " << whole;
  }
  Backoff other(milliseconds(100'000), milliseconds(100'000), 4);
  Backoff same(milliseconds(100'000), milliseconds(100'000), 4);
  const auto first = other.Next();
  EXPECT_EQ(first, same.Next());
  EXPECT_NE(first, other.Next());
}

// After waits of 100 and 200 the next one is 400; what lasted 800 outlasted it, what lasted 799 did
// not.
TEST(Backoff, starts_over_after_what_outlasted_it) {
  Backoff backoff(milliseconds(100), milliseconds(500), 3);
  backoff.Next();
  backoff.Next();
  backoff.Lasted(milliseconds(799));
  EXPECT_GE(backoff.Next(), milliseconds(200));
  backoff.Lasted(milliseconds(1000));
  EXPECT_LE(backoff.Next(), milliseconds(100));
}

TEST(Timers, run_in_order_and_not_after_they_were_cancelled) {
  const Timers::TimePoint start(std::chrono::seconds(10));
  std::vector<int> ran;
  Timers timers;
  timers.Add(1, start + milliseconds(2), [&] { ran.push_back(1); });
  timers.Add(2, start + milliseconds(1), [&] { ran.push_back(2); });
  timers.Add(3, start + milliseconds(1), [&] { ran.push_back(3); });
  timers.Add(4, start, [&] { ran.push_back(4); });
  timers.Cancel(4);
  timers.Cancel(99);
  EXPECT_EQ(timers.NextAt(), start + milliseconds(1));
  while (auto work = timers.TakeDue(start + milliseconds(1))) (*work)();
  EXPECT_THAT(ran, ElementsAre(2, 3));
  EXPECT_EQ(timers.NextAt(), start + milliseconds(2));
}

}  // namespace
}  // namespace batholith
