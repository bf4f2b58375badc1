// A row says which victims the plugins name, tier by tier, and who falls. Tasks are numbers.
#include "framework/combine_victims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/framework/tiers.h"

namespace batholith {
namespace {

using Tasks = std::vector<std::size_t>;

std::vector<TaskIndex> IndicesOf(const Tasks& tasks) {
  std::vector<TaskIndex> out;
  for (const std::size_t t : tasks) out.emplace_back(t);
  return out;
}

Tasks NumbersOf(const std::vector<TaskIndex>& tasks) {
  Tasks out;
  for (const TaskIndex t : tasks) out.push_back(t.value());
  return out;
}

// A plugin that lets some tasks fall, or abstains; and which job it is certain to spare.
struct Voter {
  VictimRole role = VictimRole::kGuard;
  std::optional<Tasks> falls = std::nullopt;
  std::size_t budget = SIZE_MAX;  // and no more of them than so many
  bool spares = false;

  Victims Choose(std::span<const TaskIndex> candidates) const {
    if (!falls) return std::nullopt;
    std::vector<TaskIndex> out;
    for (const TaskIndex t : candidates) {
      if (std::ranges::find(*falls, t.value()) != falls->end() && out.size() < budget)
        out.push_back(t);
    }
    return out;
  }
};

Voter Guard(const Tasks& falls, std::size_t budget = SIZE_MAX) {
  return {.role = VictimRole::kGuard, .falls = falls, .budget = budget};
}
Voter Counts(const Tasks& falls, std::size_t budget) {
  return {.role = VictimRole::kCountingGuard, .falls = falls, .budget = budget};
}
Voter Ranker(const Tasks& falls) { return {.role = VictimRole::kRanker, .falls = falls}; }
Voter Abstains(VictimRole role) { return {.role = role}; }

constexpr auto kRole = [](const Voter& v) { return v.role; };

TEST(CombineVictims, guards_are_intersected_and_the_first_tier_of_rankers_counts) {
  constexpr VictimRole kGuard = VictimRole::kGuard;
  constexpr VictimRole kRanker = VictimRole::kRanker;
  struct Row {
    std::string name;
    Tiers<Voter> tiers;
    Tasks victims;  // of the candidates 4, 3, 2, 1
  };
  const std::vector<Row> rows = {
      {"nobody is there", {}, {}},
      {"all abstain", {{Abstains(kGuard), Abstains(kRanker)}}, {}},
      {"one guard", {{Guard({1, 2, 3})}}, {3, 2, 1}},
      {"guards of one tier", {{Guard({1, 2}), Guard({2, 3})}}, {2}},
      {"guards of two tiers", {{Guard({1, 2})}, {Guard({2, 3})}}, {2}},
      {"guards that have nobody in common", {{Guard({1})}, {Guard({2})}}, {}},
      {"rankers of one tier", {{Ranker({1, 2}), Ranker({2, 3})}}, {2}},
      {"rankers of two tiers", {{Ranker({1, 2})}, {Ranker({3})}}, {2, 1}},
      {"a ranker's empty answer is final", {{Ranker({})}, {Ranker({3})}}, {}},
      {"the second tier, where the first abstains", {{Abstains(kRanker)}, {Ranker({3})}}, {3}},
      {"a guard of a later tier than the ranker", {{Ranker({1, 2})}, {Guard({2, 3})}}, {2}},
      {"a guard alone, where the ranker abstains", {{Abstains(kRanker), Guard({4})}}, {4}},
      {"a guard's budget goes to whom the ranker chose, though the guard comes first",
       {{Guard({1, 2, 3, 4}, 1)}, {Ranker({1, 2})}},
       {2}},
      {"it goes to whom a plain guard leaves, though that one comes later",
       {{Counts({1, 2, 3, 4}, 1)}, {Guard({1, 2})}},
       {2}},
      {"guards that count are asked one after another",
       {{Counts({1, 2, 3, 4}, 2)}, {Counts({1, 2, 3}, 1)}},
       {3}},
  };
  for (const Row& row : rows) {
    const std::vector<TaskIndex> victims =
        GuardsAndRankers(ChainOf(row.tiers), IndicesOf({4, 3, 2, 1}), kRole,
                         [](const Voter& v, std::span<const TaskIndex> c) { return v.Choose(c); });
    EXPECT_EQ(NumbersOf(victims), row.victims) << row.name;
  }
}

TEST(CombineVictims, a_job_is_spared_by_those_who_are_certain_to_be_asked) {
  const auto guard = [](bool spares) {
    return Voter{.role = VictimRole::kGuard, .spares = spares};
  };
  const auto ranker = [](bool spares) {
    return Voter{.role = VictimRole::kRanker, .spares = spares};
  };
  struct Row {
    std::string name;
    Tiers<Voter> tiers;
    bool spared;
  };
  const std::vector<Row> rows = {
      {"nobody is there", {}, false},
      {"nobody spares it", {{guard(false), ranker(false)}}, false},
      {"a guard", {{guard(true)}}, true},
      {"a guard of a later tier", {{ranker(false)}, {guard(true)}}, true},
      {"a ranker of the first tier", {{ranker(false), ranker(true)}}, true},
      {"a ranker of the second tier, the first that has one",
       {{guard(false)}, {ranker(true)}},
       true},
      {"a ranker that may not be asked", {{ranker(false)}, {ranker(true)}}, false},
  };
  for (const Row& row : rows) {
    const auto spares = [](const Voter& v) { return v.spares; };
    EXPECT_EQ(AnySpares(ChainOf(row.tiers), kRole, spares), row.spared) << row.name;
  }
}

TEST(CombineVictims, the_first_tier_that_names_anybody_is_united) {
  struct Row {
    std::string name;
    std::vector<std::vector<Tasks>> tiers;
    Tasks victims;
  };
  const std::vector<Row> rows = {
      {"nobody is there", {}, {}},
      {"nobody is named", {{{}}, {{}}}, {}},
      {"two of one tier", {{{3, 1}, {1, 2}}}, {1, 2, 3}},
      {"a later tier is not asked", {{{2}}, {{1}}}, {2}},
      {"the second tier, where the first names nobody", {{{}}, {{5}, {4}}}, {4, 5}},
  };
  for (const Row& row : rows) {
    Chain<const Tasks> chain;
    for (std::size_t tier = 0; tier < row.tiers.size(); ++tier) {
      for (const Tasks& tasks : row.tiers[tier]) chain.push_back({tier, &tasks});
    }
    EXPECT_EQ(NumbersOf(UnionOfFirstTier(chain, IndicesOf)), row.victims) << row.name;
  }
}

}  // namespace
}  // namespace batholith
