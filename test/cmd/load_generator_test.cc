#include "cmd/load_generator.h"

#include <gtest/gtest.h>

namespace batholith {
namespace {

std::string Word(const std::string& text) {
  const auto load = ParseLoad(text);
  return load ? "ok" : load.error().message;
}

TEST(LoadGenerator, what_is_wrong_is_named) {
  EXPECT_EQ(Word(""), "ok");
  EXPECT_EQ(Word("every=10s,jobs=3,tasks=2,cpu=500m,nvidia.com/gpu=1,lifetime=1m"), "ok");
  EXPECT_EQ(Word("every=soon"), "--load every=soon: must be a duration, such as 30s");
  EXPECT_EQ(Word("every=0s"), "--load every=0s: must be a duration, such as 30s");
  EXPECT_EQ(Word("cpu=-1"), "--load cpu=-1: must be an amount");
  EXPECT_EQ(Word("jobs"), "--load: \"jobs\" must be name=value, such as every=30s");
  EXPECT_EQ(Word("pods=3").substr(0, 30), "--load: unknown part \"pods\"; t");
  EXPECT_EQ(Word("tasks=1,minMember=2"), "--load: minMember is above tasks");
}

// One job a second for 100 sessions of one second: 200 pods of the two million.
TEST(LoadGenerator, only_the_pods_that_come_during_the_run_are_counted) {
  RunOptions run;
  run.cycles = 100;
  EXPECT_TRUE(GenerateLoad("every=1s,jobs=1000000,tasks=2", run, 200).has_value());
  const Result<GeneratedLoad> more = GenerateLoad("every=1s,jobs=1000000,tasks=2", run, 199);
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().message,
            "--load: 100 jobs of 2 tasks come within 100 sessions, at most 199 pods may "
            "(--max-pods)");
}

// Every 20 s for 50 s in sessions 10 s apart: jobs at 0, 20 and 40 s are there in sessions 1, 3 and
// 5; each lives 30 s, so those of sessions 1 and 3 go in sessions 4 and 6.
TEST(LoadGenerator, jobs_come_and_go_in_time) {
  const auto load = ParseLoad("every=20s,jobs=10,tasks=2,lifetime=30s");
  ASSERT_TRUE(load.has_value());
  const auto events = LoadEvents(*load, 10'000'000'000, 6, kDefaultNow);
  ASSERT_EQ(events.size(), 5U);
  const int cycles[] = {1, 3, 4, 5, 6};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(events[i].cycle, cycles[i]);
  EXPECT_EQ(events[0].add.pods.size(), 2U);
  EXPECT_EQ(events[0].add.pod_groups.at(0).min_member, 2);
  EXPECT_EQ(events[2].remove,
            (std::vector<std::string>{"Pod/default/load-0-0", "Pod/default/load-0-1",
                                      "PodGroup/default/load-0"}));
  EXPECT_EQ(events[4].remove.size(), 3U);
}

// The same seed is the same load; another one is another.
TEST(LoadGenerator, a_seed_draws_the_times) {
  const auto times = [](const char* text) {
    std::vector<TimeNs> out;
    const auto load = ParseLoad(text);
    for (const RunEvent& event : LoadEvents(*load, 1'000'000'000, 10'000, 0)) {
      for (const PodRecord& pod : event.add.pods) out.push_back(pod.meta.creation);
    }
    return out;
  };
  EXPECT_EQ(times("jobs=30,seed=7"), times("jobs=30,seed=7"));
  EXPECT_NE(times("jobs=30,seed=7"), times("jobs=30,seed=8"));
  EXPECT_EQ(times("jobs=30,seed=7").size(), 30U);
}

}  // namespace
}  // namespace batholith
