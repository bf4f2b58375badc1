#include <gtest/gtest.h>

#include <string>

#include "plugins/capacity/account.h"
#include "test/plugins/amounts.h"

namespace batholith {
namespace {

Account Deserving(const ResourceVector& deserved, const ResourceVector& held = {}) {
  Account account;
  account.deserved = deserved;
  account.sums.allocated = held;
  UpdateShare(account);
  return account;
}

TEST(CapacityShare, is_the_greatest_part_of_what_is_deserved) {
  EXPECT_EQ(Deserving(Of(4, 8), Of(1, 4)).share, FixedShare(0.5));
  EXPECT_EQ(Deserving(Of(4), Of(1, 400)).share, FixedShare(0.25));
  EXPECT_EQ(Deserving(Of(0), Of(0)).share, FixedShare(1));
  EXPECT_TRUE(Deserving(Of(0)).deserves_nothing);
  ResourceVector slots;
  slots[ResourceSchema::kPods] = 10;
  EXPECT_TRUE(Deserving(slots).deserves_nothing);
}

TEST(CapacityReclaim, one_resource_within_deserved_is_enough) {
  EXPECT_TRUE(StaysWithinDeserved(Of(3, 9), Of(1, 1), Of(4, 4)));
  EXPECT_FALSE(StaysWithinDeserved(Of(4, 4), Of(1, 1), Of(4, 4)));
  EXPECT_FALSE(StaysWithinDeserved(Of(4, 0), Of(1), Of(4, 4)));  // memory not asked
  EXPECT_FALSE(StaysWithinDeserved({}, Of(1), Of(0, 0, 4)));     // cpu not deserved
}

TEST(CapacityReclaim, a_guarantee_is_kept_in_every_resource) {
  Account account;
  account.guarantee = Of(4, 0, 1);
  EXPECT_TRUE(KeepsGuarantee(account, Of(6, 0, 1), Of(2)));
  EXPECT_FALSE(KeepsGuarantee(account, Of(6, 0, 1), Of(3)));
  EXPECT_FALSE(KeepsGuarantee(account, Of(9, 0, 0), Of(1)));
}

struct OverCase {
  std::string name;
  ResourceVector deserved, held, victim, wanted;
  bool over;
};

TEST(CapacityReclaim, who_is_over) {
  const OverCase cases[] = {
      {"exactly at deserved", Of(4), Of(4), Of(1), Of(1), false},
      {"one over, one goes", Of(4), Of(5), Of(1), Of(1), true},
      {"whole tasks are kept", Of(5), Of(6), Of(2), Of(2), true},
      {"and no more", Of(5), Of(5), Of(2), Of(2), false},
      {"a big task keeps less than one of its size", Of(2), Of(3), Of(3), Of(1), true},
      {"over in one of two", Of(4, 4), Of(6, 2), Of(1, 1), Of(1, 1), true},
      {"over in both, one would fall too far", Of(4, 4), Of(6, 5), Of(1, 2), Of(1, 1), false},
      {"over in what is not wanted", Of(4, 0, 1), Of(4, 0, 2), Of(1, 0, 1), Of(1), false},
      {"nothing deserved is wanted", Of(0, 0, 1), Of(4, 0, 2), Of(1, 0, 1), Of(1), true},
  };
  for (const OverCase& c : cases) {
    EXPECT_EQ(IsOver(Deserving(c.deserved), c.held, c.victim, c.wanted), c.over) << c.name;
  }
}

TEST(CapacityReclaim, crossing_claims_go_by_share) {
  const Account light = Deserving(Of(10, 100));  // over in cpu, short of memory
  const auto heavy = [](std::int64_t pods) { return Deserving(Of(10, 10), Of(pods, 2 * pods)); };
  EXPECT_TRUE(WinsClaim(heavy(0), Of(1, 2), light, Of(20, 20), Of(1, 1)));   // within: no conflict
  EXPECT_TRUE(WinsClaim(heavy(5), Of(1, 2), light, Of(15, 15), Of(1, 1)));   // 1.2 < 1.5
  EXPECT_FALSE(WinsClaim(heavy(6), Of(1, 2), light, Of(14, 14), Of(1, 1)));  // 1.4 = 1.4
  EXPECT_TRUE(WinsClaim(heavy(6), Of(1, 2), light, Of(14, 140), Of(1, 1)));  // short of nothing
}

TEST(QueueSums, what_one_of_several_queues_may_use) {
  ResourceLimits cap;
  cap[0] = 5;
  EXPECT_EQ(RealCapability(LimitedTo(Of(10, 8)), Of(4), Of(1), ResourceLimits())[0], 7);
  EXPECT_EQ(RealCapability(LimitedTo(Of(10, 8)), Of(4), Of(1), cap)[0], 5);
  EXPECT_EQ(RealCapability(LimitedTo(Of(10, 8)), Of(40), Of(3), ResourceLimits())[0], 3);
  EXPECT_EQ(RealCapability(ResourceLimits(), Of(40), Of(3), ResourceLimits())[0],
            ResourceLimits::kUnlimited);
}

}  // namespace
}  // namespace batholith
