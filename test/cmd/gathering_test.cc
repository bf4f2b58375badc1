#include "cmd/gathering.h"

#include <gtest/gtest.h>

#include <string>

namespace batholith {
namespace {

using std::chrono::milliseconds;
using Time = Gathering::Time;

constexpr std::chrono::seconds kPeriod{1};  // so 200 ms for pods that a minimum lacks
const Time kStart = Time(std::chrono::hours(1));

Time At(int ms) { return kStart + milliseconds(ms); }

ClusterEvent Pod(const std::string& group, int number) {
  PodRecord pod;
  pod.meta.namespace_ = "ns";
  pod.meta.name = group + "-" + std::to_string(number);
  pod.group = group;
  return ObjectPut{pod};
}
ClusterEvent Group(const std::string& name, int min, JobPhase phase = JobPhase::kNone,
                   bool asks = false) {
  PodGroupRecord group;
  group.meta.namespace_ = "ns";
  group.meta.name = name;
  group.min_member = min;
  group.phase = phase;
  if (asks) group.min_resources = ResourceList{{"cpu", 1000}};
  return ObjectPut{group};
}
ClusterEvent Alone() {
  PodGroupRecord group;
  group.meta.namespace_ = "ns";
  group.meta.name = "podgroup-1";
  group.phase = JobPhase::kPending;
  group.made_for_pod = true;
  return ObjectPut{group};
}
CycleResult Waiting(const std::string& name, int min, int pods) {
  CycleResult report;
  JobStatus& job = report.jobs.emplace_back();
  job.key = "ns/" + name;
  job.phase = JobPhase::kInqueue;
  job.min_member = min;
  job.tasks["Pending"] = pods;
  return report;
}

TEST(Gathering, what_follows_within_5_ms_is_taken_along_for_20_ms_at_most) {
  Gathering gathering(kPeriod);
  gathering.Came(Pod("known", 0), At(0));
  EXPECT_EQ(gathering.Due(), At(5));
  gathering.Came(Pod("known", 1), At(4));
  EXPECT_EQ(gathering.Due(), At(9));
  for (int ms = 8; ms <= 40; ms += 4) gathering.Came(Pod("known", ms), At(ms));
  EXPECT_EQ(gathering.Due(), At(20));
}

TEST(Gathering, a_group_is_waited_for_until_its_minimum_is_there) {
  Gathering gathering(kPeriod);
  gathering.Came(Group("gang", 3), At(0));
  gathering.Came(Pod("gang", 0), At(1));
  gathering.Came(Pod("gang", 1), At(2));
  EXPECT_EQ(gathering.Due(), At(200));
  gathering.Came(Pod("gang", 1), At(3));  // the same pod with another status
  EXPECT_EQ(gathering.Due(), At(200));
  gathering.Came(Pod("gang", 2), At(60));
  EXPECT_EQ(gathering.Due(), At(20));  // long since due
}

TEST(Gathering, a_pod_on_its_own_waits_for_nobody) {
  Gathering gathering(kPeriod);
  gathering.Came(Group("gang", 3), At(0));
  gathering.Came(Alone(), At(1));
  EXPECT_EQ(gathering.Due(), At(6));
}

// Its pods are made only after a session has admitted it: the session is not kept waiting for them,
// the next one is.
TEST(Gathering, a_group_that_asks_for_resources_is_waited_for_once_it_is_admitted) {
  Gathering gathering(kPeriod);
  gathering.Came(Group("gang", 2, JobPhase::kPending, true), At(0));
  EXPECT_EQ(gathering.Due(), At(5));
  gathering.Begin();
  gathering.Decided(Waiting("gang", 2, 0), At(10));
  gathering.Came(Pod("other", 0), At(30));
  EXPECT_EQ(gathering.Due(), At(210));
  gathering.Came(Pod("gang", 0), At(40));
  gathering.Came(Pod("gang", 1), At(41));
  EXPECT_EQ(gathering.Due(), At(46));
}

TEST(Gathering, who_gets_no_pods_in_time_is_waited_for_once) {
  Gathering gathering(kPeriod);
  gathering.Decided(Waiting("gang", 2, 1), At(0));
  gathering.Came(Pod("other", 0), At(150));
  EXPECT_EQ(gathering.Due(), At(200));
  gathering.Begin();
  gathering.Decided(Waiting("gang", 2, 1), At(200));
  gathering.Came(Pod("other", 1), At(300));
  EXPECT_EQ(gathering.Due(), At(305));
  gathering.Begin();
  gathering.Came(Pod("gang", 7), At(400));
  EXPECT_EQ(gathering.Due(), At(405));  // its minimum is there
}

TEST(Gathering, a_gang_that_grows_slowly_is_waited_for_again) {
  Gathering gathering(kPeriod);
  gathering.Decided(Waiting("gang", 9, 1), At(0));
  gathering.Came(Pod("gang", 1), At(100));
  EXPECT_EQ(gathering.Due(), At(300));
  gathering.Begin();
  gathering.Decided(Waiting("gang", 9, 2), At(310));
  gathering.Came(Pod("gang", 2), At(400));
  EXPECT_EQ(gathering.Due(), At(600));
}

}  // namespace
}  // namespace batholith
