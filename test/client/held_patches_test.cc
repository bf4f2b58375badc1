// Patches of figures wait until they stand still; the time comes in.
#include "client/write/held_patches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "client/write/without_numbers.h"

namespace batholith {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const HeldPatches::TimePoint kStart(std::chrono::seconds(1000));
constexpr Pace kPace{milliseconds(100), milliseconds(1000)};

HeldPatches::Wanted Wants(const std::string& path, const std::string& status) {
  Patch patch{path, "x", {{"status", json::parse(status)}}};
  return {{"PodGroup", "ns/g", std::move(patch)}, kPace};
}

std::string Running(int count) { return R"({"running":)" + std::to_string(count) + "}"; }

std::vector<std::string> Texts(const std::vector<StatusItem>& items) {
  std::vector<std::string> out;
  for (const StatusItem& item : items)
    out.push_back(item.patch.path + " " + json::serialize(item.patch.body.at("status")));
  return out;
}

// It says 1, 2 and 3 at 0, 60 and 120 ms; 100 ms after that it has stood still.
TEST(HeldPatches, the_last_of_them_goes_when_it_has_stood_still) {
  HeldPatches held;
  EXPECT_EQ(held.NextAt(), std::nullopt);
  for (int i = 0; i < 3; ++i)
    held.Renew({Wants("/g", Running(i + 1))}, kStart + i * milliseconds(60));
  EXPECT_EQ(held.NextAt(), kStart + milliseconds(220));
  EXPECT_THAT(held.TakeDue(kStart + milliseconds(219)), IsEmpty());
  EXPECT_THAT(Texts(held.TakeDue(kStart + milliseconds(220))), ElementsAre("/g {\"running\":3}"));
  EXPECT_EQ(held.NextAt(), std::nullopt);
}

// It moves each 60 ms and never stands still for 100: after 1000 ms it goes all the same.
TEST(HeldPatches, what_never_stands_still_goes_at_the_end_of_its_time) {
  HeldPatches held;
  for (int i = 0; i < 17; ++i)
    held.Renew({Wants("/g", Running(i + 1))}, kStart + i * milliseconds(60));
  EXPECT_EQ(held.NextAt(), kStart + milliseconds(1000));
  EXPECT_THAT(Texts(held.TakeDue(kStart + milliseconds(1000))), ElementsAre("/g {\"running\":17}"));
}

TEST(HeldPatches, a_session_that_wants_the_same_does_not_put_it_off) {
  HeldPatches held;
  const auto stamped = [](int session) {
    return R"({"conditions":[{"type":"Unschedulable","message":"no room","transitionID":"s-)" +
           std::to_string(session) + R"(","lastTransitionTime":")" + std::to_string(session) +
           "\"}]}";
  };
  for (int i = 0; i < 3; ++i) held.Renew({Wants("/g", stamped(i))}, kStart + i * milliseconds(60));
  EXPECT_EQ(held.NextAt(), kStart + milliseconds(100)) << "another stamp says nothing else";
}

TEST(HeldPatches, what_a_session_does_not_want_any_more_is_never_written) {
  HeldPatches held;
  held.Renew({Wants("/g", Running(1)), Wants("/h", Running(1))}, kStart);
  held.Renew({Wants("/h", Running(1))}, kStart + milliseconds(50));
  EXPECT_THAT(Texts(held.TakeAll()), ElementsAre("/h {\"running\":1}"));
  EXPECT_EQ(held.NextAt(), std::nullopt);
}

TEST(WithoutNumbers, counts_and_amounts_go_and_names_stay) {
  for (const auto& [text, without] :
       {std::pair{"not enough pods: valid: 5, min: 64", "not enough pods: valid: #, min: #"},
        {"0/4 nodes are available: 3 insufficient cpu",
         "#/# nodes are available: # insufficient cpu"},
        {"insufficient memory (12Gi held + 1.5Gi asked > 13Gi)",
         "insufficient memory (# held + # asked > #)"},
        {"queue q1 is not open; see team-2/job_3", "queue q1 is not open; see team-2/job_3"},
        {"", ""},
        {"\xc3\xa4 7", "\xc3\xa4 #"}})
    EXPECT_EQ(WithoutNumbers(text), without);
}

}  // namespace
}  // namespace batholith
