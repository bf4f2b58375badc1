#include "client/write/wanted_gang.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "codec/json/parse.h"
#include "test/client/wanted_env.h"

namespace batholith {
namespace {

SeenObject SeenGroup(const std::string& api_version, const std::string& status) {
  SeenObject seen;
  seen.path = "/path";
  seen.uid = "u";
  seen.api_version = api_version;
  seen.status = ParseJsonValue(status)->as_object();
  return seen;
}

std::string StatusText(const std::optional<Patch>& patch) {
  return patch ? boost::json::serialize(patch->body.at("status")) : "";
}

JobStatus Job(const std::string& key, const JobCondition& condition) {
  JobStatus job;
  job.key = key;
  job.conditions = {condition};
  return job;
}

const std::string kGroup = "ns/g@scheduling.k8s.io";
const JobCondition kWaits{"Unschedulable", "True", "NotEnoughResources", "gang short by 2 of 3"};
const JobCondition kPlaced{"Scheduled", "True", "tasks in gang are ready to be scheduled", ""};

std::string Condition(const std::string& type, const std::string& status, const std::string& reason,
                      const std::string& message, const std::string& since) {
  return R"({"type":")" + type + R"(","status":")" + status + R"(","reason":")" + reason +
         R"(","message":")" + message + R"(","lastTransitionTime":")" + since + "\"}";
}
const std::string kType = "PodGroupInitiallyScheduled";
const std::string kOld = "2025-01-01T00:00:00Z";
const std::string kNow = "2026-01-01T00:00:00Z";

std::string Wanted(const std::string& version, const std::string& conditions,
                   const JobStatus& job) {
  const auto patch = WantedKubernetesGroup(
      SeenGroup("scheduling.k8s.io/" + version, R"({"conditions":[)" + conditions + "]}"), job,
      kStamp);
  EXPECT_EQ(patch ? patch->path : "/path/status", "/path/status");
  return StatusText(patch);
}

TEST(WantedGang, a_group_of_kubernetes_says_why_it_waits_until_it_has_its_places) {
  const std::string waits =
      Condition(kType, "False", "Unschedulable", "gang short by 2 of 3", kNow);
  EXPECT_EQ(Wanted("v1beta1", "", Job(kGroup, kWaits)), R"({"conditions":[)" + waits + "]}");
  EXPECT_EQ(Wanted("v1beta1", waits, Job(kGroup, kWaits)), "");
  const std::string other = R"({"type":"Other","status":"True"})";
  const std::string placed =
      Condition(kType, "True", "Scheduled", "the pods that it needs have their nodes", kNow);
  EXPECT_EQ(Wanted("v1beta1", other + "," + waits, Job(kGroup, kPlaced)),
            R"({"conditions":[)" + other + "," + placed + "]}");
}

TEST(WantedGang, a_group_that_was_evicted_whole_is_told_beside_whether_it_was_placed) {
  const JobCondition evicted{"DisruptionTarget", "True", "PreemptionByScheduler",
                             "Group is evicted whole, because of preempt for ns/c"};
  const std::string placed = Condition(kType, "True", "Scheduled", "once", kOld);
  const std::string told = Condition(evicted.type, "True", evicted.reason, evicted.message, kNow);
  JobStatus job = Job(kGroup, kWaits);
  job.conditions.Edit().push_back(evicted);
  for (const char* version : {"v1beta1", "v1alpha3"}) {
    EXPECT_EQ(Wanted(version, placed, job), R"({"conditions":[)" + placed + "," + told + "]}");
  }
  EXPECT_EQ(Wanted("v1beta1", placed + "," + told, job), "");
  // Of a group whose pods start each alone, too.
  EXPECT_EQ(Wanted("v1beta1", "", Job(kGroup + "/p", evicted)), R"({"conditions":[)" + told + "]}");
}

TEST(WantedGang, what_was_scheduled_once_stays_so) {
  const std::string placed = Condition(kType, "True", "Scheduled", "once", kOld);
  EXPECT_EQ(Wanted("v1beta1", placed, Job(kGroup, kWaits)), "");
  EXPECT_EQ(Wanted("v1beta1", placed, Job(kGroup, kPlaced)), "");
}

TEST(WantedGang, another_message_keeps_the_time_and_may_wait_where_only_figures_moved) {
  const std::string before =
      Condition(kType, "False", "Unschedulable", "gang short by 1 of 3", kOld);
  const auto patch = WantedKubernetesGroup(
      SeenGroup("scheduling.k8s.io/v1beta1", R"({"conditions":[)" + before + "]}"),
      Job(kGroup, kWaits), kStamp);
  ASSERT_TRUE(patch);
  EXPECT_TRUE(patch->may_wait);
  EXPECT_EQ(StatusText(patch),
            R"({"conditions":[)" +
                Condition(kType, "False", "Unschedulable", "gang short by 2 of 3", kOld) + "]}");
}

TEST(WantedGang, v1alpha2_has_another_name_for_the_condition) {
  EXPECT_NE(Wanted("v1alpha2", "", Job(kGroup, kPlaced)).find(R"("PodGroupScheduled")"),
            std::string::npos);
}

TEST(WantedGang, a_pod_that_starts_alone_speaks_for_its_group_once_it_has_its_place) {
  EXPECT_EQ(GroupOfJob(kGroup + "/p-0"), kGroup);
  EXPECT_EQ(GroupOfJob("ns/g"), "ns/g");
  EXPECT_EQ(Wanted("v1beta1", "", Job(kGroup + "/p-0", kWaits)), "");
  EXPECT_NE(Wanted("v1beta1", "", Job(kGroup + "/p-0", kPlaced)), "");
}

std::string Coscheduled(const std::string& status, std::map<std::string, std::int32_t> tasks) {
  JobStatus job;
  job.min_member = 2;
  job.tasks = std::move(tasks);
  return StatusText(
      WantedCoschedulingGroup(SeenGroup("scheduling.x-k8s.io/v1alpha1", status), job));
}

TEST(WantedGang, a_group_of_the_coscheduling_plugin_tells_its_phase_and_counts) {
  EXPECT_EQ(Coscheduled("{}", {{"Pending", 1}}), R"({"phase":"Pending"})");
  EXPECT_EQ(Coscheduled("{}", {{"Pending", 2}}), R"({"phase":"Scheduling"})");
  EXPECT_EQ(Coscheduled(R"({"phase":"Scheduling"})", {{"Bound", 2}}),
            R"({"phase":"Scheduled","scheduled":2})");
  EXPECT_EQ(Coscheduled(R"({"phase":"Scheduled"})", {{"Running", 2}}),
            R"({"phase":"Running","running":2,"scheduled":2})");
  EXPECT_EQ(Coscheduled(R"({"phase":"Running","running":2})", {{"Running", 1}, {"Failed", 1}}),
            R"({"phase":"Failed","running":1,"failed":1,"scheduled":1})");
  EXPECT_EQ(Coscheduled(R"({"phase":"Running","running":2})", {{"Succeeded", 2}}),
            R"({"phase":"Finished","running":0,"succeeded":2,"scheduled":2})");
  EXPECT_EQ(Coscheduled(R"({"phase":"Finished","succeeded":2})", {{"Succeeded", 2}}), "");
  // A definition that drops `scheduled` is not written to again and again.
  EXPECT_EQ(Coscheduled(R"({"phase":"Running","running":2})", {{"Running", 2}}), "");
}

}  // namespace
}  // namespace batholith
