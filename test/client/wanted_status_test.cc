// What the server has, what a session wants, and the patch between them.
#include "client/write/wanted_status.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "api/elastic_quota.h"
#include "client/write/queue_state.h"
#include "test/client/wanted_env.h"

namespace batholith {
namespace {

namespace json = boost::json;

json::object ParsedObject(const std::string& text) { return json::parse(text).as_object(); }

SeenObject Seen(const std::string& status, const std::string& notes = "{}") {
  SeenObject seen;
  seen.path = "/path";
  seen.name = "x";
  seen.uid = "u";
  seen.version = "7";
  seen.status = ParsedObject(status);
  seen.annotations = ParsedObject(notes);
  return seen;
}

struct Row {
  std::string name;
  std::string seen;
  std::string patch;  // of the status; empty: none is sent
};

SeenObject After(SeenObject seen, const Patch& patch) {
  Apply(patch, seen);
  return seen;
}

// Also that what was wanted is there once it is written: the same again sends nothing.
template <typename Want>
void CheckWanted(const std::vector<Row>& rows, const std::string& path, const std::string& type,
                 Want want, const std::string& meta = R"({"uid":"u"})") {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const SeenObject seen = Seen(row.seen);
    const std::optional<Patch> patch = want(seen);
    ASSERT_EQ(patch.has_value(), !row.patch.empty())
        << (patch ? json::serialize(patch->body) : "no patch");
    if (!patch) continue;
    EXPECT_EQ(patch->path, path);
    EXPECT_EQ(patch->content_type, type);
    const json::object body{{"metadata", ParsedObject(meta)}, {"status", ParsedObject(row.patch)}};
    EXPECT_EQ(json::serialize(patch->body.at("status")), json::serialize(body.at("status")));
    EXPECT_EQ(patch->body.at("metadata"), body.at("metadata"));
    const SeenObject after = After(seen, *patch);
    EXPECT_FALSE(want(after)) << "after: " << json::serialize(after.status);
  }
}

const std::string kMerge = "application/merge-patch+json";
const std::string kApply = "application/apply-patch+yaml";
const std::string kStrategic = "application/strategic-merge-patch+json";

TEST(WantedStatus, of_a_pod) {
  const std::string condition =
      R"({"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"no room"})";
  const std::string fresh =
      R"({"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable",)"
      R"("message":"no room","lastTransitionTime":"2026-01-01T00:00:00Z"}]})";
  CheckWanted(
      {{"nothing is known", "{}", fresh},
       {"it is there", R"({"conditions":[)" + condition + "]}", ""},
       {"another message keeps the time",
        R"({"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable",)"
        R"("message":"before"}]})",
        R"({"conditions":[)" + condition + "]}"},
       {"another status", R"({"conditions":[{"type":"PodScheduled","status":"True"}]})", fresh},
       {"conditions are garbage", R"({"conditions":7})", fresh},
       {"a nomination that is over",
        R"({"nominatedNodeName":"n1","conditions":[)" + condition + "]}",
        R"({"nominatedNodeName":null})"}},
      "/path/status", kStrategic, [](const SeenObject& seen) {
        return WantedPod(seen, {"ns/x", "Unschedulable", "no room"}, "", kStamp);
      });
  CheckWanted(
      {{"reserved", "{}", R"({"nominatedNodeName":"n1"})"},
       {"reserved already", R"({"nominatedNodeName":"n1"})", ""},
       {"reserved elsewhere", R"({"nominatedNodeName":"n2"})", R"({"nominatedNodeName":"n1"})"}},
      "/path/status", kStrategic, [](const SeenObject& seen) {
        // Of gates the API server itself says it.
        return WantedPod(seen, {"ns/x", "SchedulingGated", "gated"}, "n1", kStamp);
      });
}

TEST(WantedStatus, of_a_group) {
  JobStatus status;
  status.phase = JobPhase::kRunning;
  status.tasks = {{"Running", 2}, {"Pending", 1}};
  status.conditions = {{"Scheduled", "True", "tasks in gang are ready", ""}};
  const std::string old =
      R"({"type":"Scheduled","status":"True","transitionID":"s-0",)"
      R"("lastTransitionTime":"2025-01-01T00:00:00Z","reason":"tasks in gang are ready"})";
  const std::string fresh =
      R"({"type":"Scheduled","status":"True","transitionID":"s-1",)"
      R"("lastTransitionTime":"2026-01-01T00:00:00Z","reason":"tasks in gang are ready"})";
  const std::string strange = R"({"type":"Strange","status":"True"})";
  CheckWanted(
      {{"nothing is known", "{}",
        R"({"phase":"Running","running":2,"conditions":[)" + fresh + "]}"},
       {"all is there", R"({"phase":"Running","running":2,"conditions":[)" + old + "]}", ""},
       {"all is there, with a stranger's condition",
        R"({"phase":"Running","running":2,"conditions":[)" + old + "," + strange + "]}", ""},
       {"another phase", R"({"phase":"Pending","running":2,"conditions":[)" + old + "]}",
        R"({"phase":"Running"})"},
       {"counts go down to nothing",
        R"({"phase":"Running","running":3,"failed":1,"conditions":[)" + old + "]}",
        R"({"running":2,"failed":0})"},
       {"what was said before it was scheduled goes",
        R"({"phase":"Running","running":2,"conditions":[{"type":"Unschedulable","status":"True"},)" +
            old + "]}",
        R"({"conditions":[)" + old + "]}"},
       {"a stranger's condition stays in the list that is written whole",
        R"({"phase":"Running","running":2,"conditions":[)" + strange + "]}",
        R"({"conditions":[)" + strange + "," + fresh + "]}"}},
      "/path", kMerge, [&](const SeenObject& seen) { return WantedGroup(seen, status, kStamp); });
}

TEST(WantedStatus, of_a_queue) {
  QueueStatus status;
  status.allocated = {{"cpu", 1500}};
  CheckWanted(
      {{"nothing is known", "{}", R"({"allocated":{"cpu":"1500m"}})"},
       {"it is there", R"({"state":"Closed","allocated":{"cpu":"1500m"}})", ""},
       {"an amount is no more", R"({"state":"Open","allocated":{"cpu":"1500m","memory":"1Gi"}})",
        R"({"allocated":{"cpu":"1500m","memory":null}})"}},
      "/path/status", kMerge, [&](const SeenObject& seen) { return WantedQueue(seen, status); });
  CheckWanted({{"the schema wants the field", "{}", R"({"allocated":{}})"},
               {"it is empty", R"({"state":"Open","allocated":{}})", ""},
               {"all amounts are no more", R"({"state":"Open","allocated":{"cpu":"1"}})",
                R"({"allocated":{"cpu":null}})"}},
              "/path/status", kMerge,
              [](const SeenObject& seen) { return WantedQueue(seen, QueueStatus()); });
}

// Volcano's queue controller applies the field by this name and without force.
TEST(WantedStatus, the_state_of_a_queue_is_applied_as_volcanos_controller_does) {
  const auto want = [](const SeenObject& seen) { return WantedQueueState(seen); };
  CheckWanted({{"no state yet", R"({"allocated":{"cpu":"1"}})", R"({"state":"Open"})"},
               {"nothing is allocated of it yet: that is written first", "{}", ""},
               {"it is there", R"({"state":"Closed","allocated":{}})", ""}},
              "/path/status?fieldManager=queue-controller&force=true", kApply, want,
              R"({"name":"x","uid":"u","resourceVersion":"7"})");
}

// What a manager applied before and leaves out goes away.
TEST(WantedStatus, what_the_manager_of_the_state_applied_with_it_is_repeated) {
  SeenObject seen = Seen(R"({"state":"Open","allocated":{"cpu":"1"}})");
  EXPECT_EQ(QueueStatePatch(seen, "Closed").body.at("status"),
            ParsedObject(R"({"state":"Closed"})"));
  seen.state_manager_has_allocated = true;
  EXPECT_EQ(QueueStatePatch(seen, "Closed").body.at("status"),
            ParsedObject(R"({"state":"Closed","allocated":{"cpu":"1"}})"));
  EXPECT_EQ(QueueStatePatch(Seen("{}"), "Closed").body.at("status"),
            ParsedObject(R"({"state":"Closed","allocated":{}})"))
      << "the schema wants the field";
}

TEST(WantedStatus, of_a_quota) {
  QuotaStatus status;
  status.used = {{"cpu", 2000}};
  CheckWanted(
      {{"nothing is known", "{}", R"({"used":{"cpu":"2"}})"},
       {"it is there", R"({"used":{"cpu":"2"},"other":1})", ""},
       {"another", R"({"used":{"cpu":"3","pods":"1"}})", R"({"used":{"cpu":"2","pods":null}})"}},
      "/path/status", kMerge, [&](const SeenObject& seen) { return WantedQuota(seen, status); });
  CheckWanted({{"nothing", "{}", ""}, {"empty", R"({"used":{}})", ""}}, "", "",
              [](const SeenObject& seen) { return WantedQuota(seen, QuotaStatus()); });
}

TEST(WantedStatus, koordinators_figures_are_annotations) {
  QuotaStatus status;
  status.group = kSigsGroup;
  status.runtime = {{"cpu", 2000}};
  const std::string prefix(kQuotaKeyPrefix);
  std::optional<Patch> patch = WantedQuotaAnnotations(Seen("{}"), status);
  ASSERT_TRUE(patch);
  EXPECT_EQ(patch->path, "/path");
  EXPECT_EQ(patch->body, ParsedObject(R"({"metadata":{"uid":"u","annotations":{")" + prefix +
                                      R"(runtime":"{\"cpu\":\"2\"}"}}})"));
  const SeenObject after = After(Seen("{}"), *patch);
  EXPECT_FALSE(WantedQuotaAnnotations(after, status));
  status.runtime.clear();
  patch = WantedQuotaAnnotations(after, status);
  ASSERT_TRUE(patch);
  EXPECT_EQ(patch->body.at("metadata").at("annotations").at(prefix + "runtime"), "{}");
  status.group = "scheduling.x-k8s.io";
  EXPECT_FALSE(WantedQuotaAnnotations(Seen("{}"), status)) << "nobody reads them there";
}

TEST(WantedStatus, of_a_buffer) {
  BufferStatus status;
  status.replicas = 2;
  status.observed_generation = 4;
  status.conditions = {{"ReadyForProvisioning", "True", "AttributesSetSuccessfully", ""},
                       {"Theirs", "True", "Because", "so"}};
  const std::string theirs =
      R"({"type":"Theirs","status":"True","reason":"Because","message":"so","observedGeneration":1})";
  const auto ready = [](int generation, const std::string& status_text, const std::string& time) {
    return R"({"type":"ReadyForProvisioning","status":")" + status_text +
           R"(","reason":"AttributesSetSuccessfully","message":"","observedGeneration":)" +
           std::to_string(generation) + R"(,"lastTransitionTime":")" + time + R"("})";
  };
  const std::string before =
      R"("replicas":2,"provisioningStrategy":"buffer.x-k8s.io/active-capacity")";
  const std::string old = "2025-01-01T00:00:00Z";
  CheckWanted(
      {{"nothing is there yet but a condition of somebody else",
        R"({"conditions":[)" + theirs + "]}",
        "{" + before + R"(,"conditions":[)" + ready(4, "True", kStamp.now) + "," + theirs + "]}"},
       {"it turns",
        "{" + before + R"(,"conditions":[)" + ready(4, "False", old) + "," + theirs + "]}",
        R"({"conditions":[)" + ready(4, "True", kStamp.now) + "," + theirs + "]}"},
       {"an edit that changes nothing is observed, and its time stays",
        "{" + before + R"(,"conditions":[)" + ready(3, "True", old) + "," + theirs + "]}",
        R"({"conditions":[)" + ready(4, "True", old) + "," + theirs + "]}"},
       {"all is there",
        "{" + before + R"(,"conditions":[)" + ready(4, "True", old) + "," + theirs + "]}", ""}},
      "/path/status", kMerge,
      [&](const SeenObject& seen) { return WantedBuffer(seen, status, kStamp); });
}

}  // namespace
}  // namespace batholith
