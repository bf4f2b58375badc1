#include "framework/eviction_watch.h"

#include <gtest/gtest.h>

namespace batholith {
namespace {

struct Move {
  std::string job;
  std::string for_job = {};
  std::string action = "reclaim";
};

CycleResult Session(const std::vector<Move>& evicted, const std::vector<std::string>& bound) {
  CycleResult result;
  for (const Move& move : evicted) {
    Evict evict;
    evict.pod = move.job + "-0";
    evict.job = move.job;
    evict.for_job = move.for_job;
    evict.action = move.action;
    result.evictions.push_back(evict);
  }
  for (const std::string& job : bound) {
    Bind bind;
    bind.job = job;
    result.binds.push_back(bind);
  }
  return result;
}

TEST(EvictionWatch, two_groups_that_take_each_other_s_place_are_named_at_the_fourth_eviction) {
  EvictionWatch watch;
  for (int round = 1; round <= 4; ++round) {
    EXPECT_TRUE(watch.GoingRound().empty()) << round;
    const bool odd = round % 2 == 1;
    watch.Observe(odd ? Session({{"a/low", "a/high"}}, {}) : Session({{"a/high", "a/low"}}, {}));
    watch.Observe(Session({}, {odd ? "a/high" : "a/low"}));
  }
  ASSERT_EQ(watch.GoingRound(), (std::vector<EvictionRound>{{"a/high", "a/low", "reclaim", 2, 2}}));
  EXPECT_EQ(EvictionRoundText(watch.GoingRound()[0]),
            "pods of a/high were evicted 2 times by reclaim for a/low, and those of a/low 2 times "
            "for it, and got nodes again each time between");
}

TEST(EvictionWatch, a_group_that_comes_back_to_the_same_loss_is_named) {
  EvictionWatch watch;
  for (int round = 1; round <= 4; ++round) {
    EXPECT_TRUE(watch.GoingRound().empty()) << round;
    watch.Observe(Session({{"a/b", "a/c", "preempt"}}, {}));
    watch.Observe(Session({}, {"a/b"}));
  }
  EXPECT_EQ(watch.GoingRound(), (std::vector<EvictionRound>{{"a/b", "a/c", "preempt", 4, 0}}));
}

TEST(EvictionWatch, an_action_that_evicts_for_nobody_is_named) {
  EvictionWatch watch;
  for (int round = 1; round <= 4; ++round) {
    watch.Observe(Session({{"a/b", "", "shuffle"}}, {}));
    watch.Observe(Session({}, {"a/b"}));
  }
  ASSERT_EQ(watch.GoingRound(), (std::vector<EvictionRound>{{"a/b", "", "shuffle", 4, 0}}));
  EXPECT_EQ(EvictionRoundText(watch.GoingRound()[0]),
            "pods of a/b were evicted 4 times by shuffle, and got nodes again each time between");
}

// One pod after the other, and none comes back.
TEST(EvictionWatch, a_large_group_that_gives_way_step_by_step_is_calm) {
  EvictionWatch watch;
  for (int i = 0; i < 50; ++i) watch.Observe(Session({{"a/b", "a/c"}}, {"a/c"}));
  EXPECT_TRUE(watch.GoingRound().empty());
}

// A low job that gives way to one new job after the other.
TEST(EvictionWatch, losing_to_another_job_each_time_is_calm) {
  EvictionWatch watch;
  for (int i = 0; i < 50; ++i) {
    watch.Observe(Session({{"a/b", "a/c" + std::to_string(i)}}, {}));
    watch.Observe(Session({}, {"a/b"}));
  }
  EXPECT_TRUE(watch.GoingRound().empty());
}

TEST(EvictionWatch, several_pods_of_one_session_are_one_round) {
  EvictionWatch watch;
  for (int i = 0; i < 3; ++i) {
    watch.Observe(Session({{"a/b", "a/c"}, {"a/b", "a/c"}, {"a/b", "a/c"}}, {}));
    watch.Observe(Session({}, {"a/b"}));
  }
  EXPECT_TRUE(watch.GoingRound().empty());
}

// No more than 1,000 sessions after the round before; else a round is the first again.
TEST(EvictionWatch, rounds_far_apart_are_forgotten) {
  for (const std::int64_t between : {EvictionWatch::kSessions, EvictionWatch::kSessions + 1}) {
    EvictionWatch watch;
    for (int round = 0; round < 5; ++round) {
      if (round > 0) {
        for (std::int64_t s = 1; s < between; ++s) watch.Observe(Session({}, {"a/b"}));
      }
      watch.Observe(Session({{"a/b", "a/c"}}, {}));
    }
    EXPECT_EQ(watch.GoingRound().empty(), between > EvictionWatch::kSessions) << between;
  }
}

TEST(EvictionWatch, of_very_many_pairs_the_one_that_was_calm_longest_is_forgotten) {
  EvictionWatch watch;
  for (int round = 0; round < 4; ++round) watch.Observe(Session({{"a/first", "a/c"}}, {"a/first"}));
  std::vector<Move> others;
  for (std::size_t i = 1; i < EvictionWatch::kMostPairs; ++i)
    others.push_back({"a/" + std::to_string(i), "a/c"});
  watch.Observe(Session(others, {}));
  EXPECT_EQ(watch.GoingRound().size(), 1U);
  watch.Observe(Session({{"a/last", "a/c"}}, {}));
  EXPECT_TRUE(watch.GoingRound().empty());
}

}  // namespace
}  // namespace batholith
