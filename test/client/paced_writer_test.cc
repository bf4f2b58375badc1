// At which pace statuses are written to a scripted server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "test/client/sink_env.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;

// The statuses of the group as they are written. Where figures never stand still in time they wait
// for the end.
class GroupStatuses {
 public:
  explicit GroupStatuses(Pace pace) : sink_(Script(), {.pods = pace, .others = pace}) {
    sink_.AddGroup();
  }
  void Session(JobPhase phase, std::int32_t running) {
    sink_.SendGroup(phase, running);
    sink_.Settle();
  }
  // Once so many are written.
  std::vector<std::string> Written(std::size_t count) {
    EXPECT_TRUE(patches_.WaitUntil([&](const auto& lines) { return lines.size() >= count; }));
    return patches_.lines();
  }
  Sink& sink() { return sink_; }

 private:
  ScriptedServer::Script Script() {
    return [this](const ScriptedRequest& r) -> Actions {
      patches_.Add(json::serialize(json::parse(r.body).at("status")));
      return Answer(200, "{}");
    };
  }

  Record patches_;
  Sink sink_;
};

constexpr Pace kLongPace{std::chrono::hours(1), std::chrono::hours(2)};

// A gang of 32 whose pods begin to run one by one: the phase at once, of the counts the last.
TEST(PacedWriter, a_gang_of_32_costs_three_writes_from_pending_to_running) {
  GroupStatuses group(kLongPace);
  group.Session(JobPhase::kInqueue, 0);
  group.Written(1);
  group.sink().WaitUntilIdle();
  group.Session(JobPhase::kRunning, 0);
  group.Written(2);
  group.sink().WaitUntilIdle();
  for (std::int32_t running = 1; running <= 32; ++running)
    group.Session(JobPhase::kRunning, running);
  EXPECT_EQ(group.Written(2).size(), 2U) << "counts wait";
  group.sink().sink_.Flush();
  EXPECT_THAT(group.Written(3),
              ElementsAre(R"({"phase":"Inqueue"})", R"({"phase":"Running"})", R"({"running":32})"));
}

TEST(PacedWriter, what_waits_is_written_though_no_session_follows) {
  GroupStatuses group({std::chrono::milliseconds(1), std::chrono::milliseconds(1)});
  group.Session(JobPhase::kRunning, 1);
  group.Written(1);
  group.sink().WaitUntilIdle();
  group.Session(JobPhase::kRunning, 2);
  EXPECT_THAT(group.Written(2),
              ElementsAre(R"({"phase":"Running","running":1})", R"({"running":2})"));
}

TEST(PacedWriter, counts_that_wait_go_with_the_phase_that_does_not) {
  GroupStatuses group(kLongPace);
  group.Session(JobPhase::kRunning, 1);
  group.Written(1);
  group.sink().WaitUntilIdle();
  group.Session(JobPhase::kRunning, 2);
  group.Session(JobPhase::kCompleted, 2);
  EXPECT_THAT(group.Written(2), ElementsAre(R"({"phase":"Running","running":1})",
                                            R"({"phase":"Completed","running":2})"));
  group.sink().WaitUntilIdle();
  group.sink().sink_.Flush();
  group.sink().WaitUntilIdle();
  EXPECT_EQ(group.Written(2).size(), 2U) << "what waited is in it";
}

// Eight sessions while the pods of a gang come: "valid: 1" to "valid: 8".
TEST(PacedWriter, a_pod_is_told_once_while_only_a_count_moves) {
  Record events, patches;
  Sink sink(
      [&](const ScriptedRequest& r) -> Actions {
        (IsEvent(r) ? events : patches).Add(r.body);
        return Answer(200, "{}");
      },
      {.pods = kLongPace, .others = kLongPace});
  const auto come = [&](std::size_t count) {
    const auto so_many = [&](const auto& lines) { return lines.size() >= count; };
    return events.WaitUntil(so_many) && patches.WaitUntil(so_many);
  };
  for (int valid = 1; valid <= 8; ++valid) {
    sink.Send(0, /*status=*/true, "valid: " + std::to_string(valid) + ", min: 8");
    ASSERT_TRUE(come(1));
    sink.WaitUntilIdle();
  }
  EXPECT_EQ(patches.lines().size(), 1U);
  EXPECT_EQ(events.lines().size(), 1U);
  sink.Send(0, /*status=*/true, "queue q is not open");
  EXPECT_TRUE(come(2)) << "other words go at once";
}

}  // namespace
}  // namespace batholith
