// A row says what the plugins answer, tier by tier, and what comes of it.
#include "framework/combine.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/framework/tiers.h"

namespace batholith {
namespace {

constexpr auto kAsk = [](const auto& answer) { return answer; };

// How many of the plugins of the chain are asked before the answer is certain.
template <typename Answer, typename Combination>
std::size_t AskedBy(const Tiers<Answer>& tiers, Combination combination) {
  std::size_t asked = 0;
  combination(ChainOf(tiers), [&](const Answer& answer) {
    ++asked;
    return answer;
  });
  return asked;
}

constexpr Vote kNo = Vote::kReject;
constexpr Vote kNone = Vote::kAbstain;
constexpr Vote kYes = Vote::kPermit;

TEST(Combine, the_first_tier_that_votes_decides) {
  struct Row {
    std::string name;
    Tiers<Vote> tiers;
    bool outcome;
    std::size_t asked;
  };
  const std::vector<Row> rows = {
      {"nobody is there", {}, true, 0},
      {"nobody votes", {{kNone, kNone}, {kNone}}, true, 3},
      {"a permission", {{kYes}}, true, 1},
      {"a rejection", {{kNo}}, false, 1},
      {"a rejection after a permission of its tier", {{kYes, kNo}}, false, 2},
      {"a rejection before a permission of its tier", {{kNo, kYes}}, false, 1},
      {"a rejection of a tier that is not asked any more", {{kYes}, {kNo}}, true, 1},
      {"the second tier, where the first abstains", {{kNone}, {kNone, kNo}}, false, 3},
      {"a rejection beats a permission of a later tier", {{kNone, kNo}, {kYes}}, false, 2},
      {"an empty tier is none", {{}, {kYes, kNone}, {kNo}}, true, 2},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(FirstTierThatVotes(ChainOf(row.tiers), kAsk), row.outcome) << row.name;
    const auto votes = [](const auto& chain, auto ask) { FirstTierThatVotes(chain, ask); };
    EXPECT_EQ(AskedBy(row.tiers, votes), row.asked) << row.name;
  }
}

TEST(Combine, the_first_plugin_that_tells_two_apart_decides) {
  constexpr std::weak_ordering kLess = std::weak_ordering::less;
  constexpr std::weak_ordering kEqual = std::weak_ordering::equivalent;
  constexpr std::weak_ordering kMore = std::weak_ordering::greater;
  struct Row {
    std::string name;
    Tiers<std::weak_ordering> tiers;
    std::weak_ordering outcome;
    std::size_t asked;
  };
  const std::vector<Row> rows = {
      {"nobody is there", {}, kEqual, 0},
      {"nobody tells them apart", {{kEqual}, {kEqual}}, kEqual, 2},
      {"the first", {{kLess, kMore}}, kLess, 1},
      {"the second of a tier", {{kEqual, kMore}}, kMore, 2},
      {"one of a later tier", {{kEqual}, {kMore}, {kLess}}, kMore, 2},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(FirstDecisive(ChainOf(row.tiers), kAsk), row.outcome) << row.name;
    const auto order = [](const auto& chain, auto ask) { FirstDecisive(chain, ask); };
    EXPECT_EQ(AskedBy(row.tiers, order), row.asked) << row.name;
  }
}

TEST(Combine, the_first_refusal_is_the_answer) {
  const Unfit taint{Reason::kTaint, false, 1};
  const Unfit port{Reason::kHostPort, true, 2};
  const Unfit fits;
  struct Row {
    std::string name;
    Tiers<Unfit> tiers;
    Unfit outcome;
    std::size_t asked;
  };
  const std::vector<Row> rows = {
      {"nobody is there", {}, fits, 0},
      {"nobody refuses", {{fits}, {fits}}, fits, 2},
      {"the first of two", {{fits, taint}, {port}}, taint, 2},
      {"one of a later tier", {{fits}, {port}, {taint}}, port, 2},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(FirstRefusal(ChainOf(row.tiers), kAsk), row.outcome) << row.name;
    const auto refusal = [](const auto& chain, auto ask) { (void)FirstRefusal(chain, ask); };
    EXPECT_EQ(AskedBy(row.tiers, refusal), row.asked) << row.name;
  }
}

TEST(Combine, all_any_and_the_first_tier) {
  struct Row {
    std::string name;
    Tiers<char> tiers;  // y or n
    bool all, any, first_tier;
  };
  const std::vector<Row> rows = {
      {"nobody is there", {}, true, false, false},
      {"one agrees", {{'y'}}, true, true, true},
      {"one does not", {{'n'}}, false, false, false},
      {"two of one tier differ", {{'y', 'n'}}, false, true, false},
      {"two tiers differ, the first agrees", {{'y'}, {'n'}}, false, true, true},
      {"two tiers differ, the second agrees", {{'n'}, {'y'}}, false, true, false},
      {"the first tier is empty", {{}, {'y', 'y'}, {'n'}}, false, true, true},
  };
  const auto agrees = [](char answer) { return answer == 'y'; };
  for (const Row& row : rows) {
    EXPECT_EQ(AllAgree(ChainOf(row.tiers), agrees), row.all) << row.name;
    EXPECT_EQ(AnyAgrees(ChainOf(row.tiers), agrees), row.any) << row.name;
    EXPECT_EQ(FirstTierAgrees(ChainOf(row.tiers), agrees), row.first_tier) << row.name;
  }
}

}  // namespace
}  // namespace batholith
