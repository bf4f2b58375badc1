// What a session decided, written to a scripted server.
#include "client/write/kube_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "api/elastic_quota.h"
#include "test/client/sink_env.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST(KubeSink, is_idle_once_all_is_answered_statuses_too) {
  Record came;
  Sink sink([&](const ScriptedRequest& r) -> Actions {
    if (IsEvent(r)) return Answer(201, "{}");
    came.Add(r.method);
    const Action answer = Answer(r.method == "PATCH" ? 200 : 201, "{}").front();
    return {WaitFor(r.method), answer};
  });
  EXPECT_TRUE(sink.sink_.IsIdle());
  sink.Send(1, /*status=*/true);
  EXPECT_FALSE(sink.sink_.IsIdle()) << "also before the client's thread turned to it";
  ASSERT_TRUE(came.WaitForLine("PATCH"));
  sink.server_.Open("POST");
  EXPECT_THAT(sink.Outcomes(1), ElementsAre("ns/p0 done"));
  sink.Settle();
  EXPECT_FALSE(sink.sink_.IsIdle()) << "the status is under way";
  sink.server_.Open("PATCH");
  sink.WaitUntilIdle();
}

TEST(KubeSink, nothing_is_sent_without_the_lease_and_all_are_answered) {
  Sink sink([](const ScriptedRequest&) { return Answer(201, "{}"); });
  sink.leads_ = false;
  sink.Send(2, /*status=*/true);
  EXPECT_THAT(sink.Outcomes(2),
              UnorderedElementsAre("ns/p0 not the leader", "ns/p1 not the leader"));
  sink.Settle();
  EXPECT_TRUE(sink.sink_.IsIdle());
  EXPECT_EQ(sink.sink_.refusals(), 2U);
  EXPECT_TRUE(sink.server_.requests().empty());
}

TEST(KubeSink, a_status_is_sent_once_and_its_event_keeps_to_the_servers_limits) {
  Record events, patches;
  Sink sink([&](const ScriptedRequest& r) -> Actions {
    (IsEvent(r) ? events : patches).Add(r.body);
    return Answer(200, "{}");
  });
  std::string message;
  for (int i = 0; i < 700; ++i) message += "\xc3\xa4";  // of two bytes; 1024 end inside none,
  sink.Send(0, /*status=*/true, "x" + message);         // and here inside one
  const auto one = [](const auto& lines) { return !lines.empty(); };
  ASSERT_TRUE(events.WaitUntil(one) && patches.WaitUntil(one));
  const json::value event = json::parse(events.lines()[0]);
  EXPECT_EQ(event.at("note").as_string().size(), 1023U);
  EXPECT_EQ(event.at("regarding").at("uid"), "u");
  EXPECT_TRUE(std::string(event.at("metadata").at("name").as_string()).starts_with("waiting."));
  sink.Settle();
  sink.Send(0, /*status=*/true, "x" + message);
  sink.Settle();
  HttpRequest last;
  last.path = "/last";
  ASSERT_TRUE(sink.client_->SendAndWait(last));
  EXPECT_EQ(patches.lines().size(), 2U) << "the first, and the last that was asked for";
  EXPECT_EQ(events.lines().size(), 1U);
}

// First it asks for more than the cluster has, and no pod of it exists; then it is let in and lacks
// room. What has ended does not wait.
TEST(KubeSink, a_group_that_waits_gets_an_event_admitted_or_not) {
  Record events;
  Sink sink([&](const ScriptedRequest& r) -> Actions {
    if (IsEvent(r)) {
      const json::value event = json::parse(r.body);
      events.Add(std::string(event.at("type").as_string()) + " " +
                 std::string(event.at("reason").as_string()) + " " +
                 std::string(event.at("regarding").at("name").as_string()) + ": " +
                 std::string(event.at("note").as_string()));
    }
    return Answer(200, "{}");
  });
  sink.AddGroup();
  sink.SendGroup(JobPhase::kPending, 0,
                 {{"Unschedulable", "True", "NotEnqueued", "the cluster has no room"}});
  EXPECT_TRUE(events.WaitForLine("Normal Unschedulable g: the cluster has no room"));
  sink.SendGroup(JobPhase::kInqueue, 1, {{"Unschedulable", "True", "NotEnoughResources", "1/3"}},
                 /*pending=*/2);
  EXPECT_TRUE(
      events.WaitForLine("Warning Unschedulable g: 2/3 tasks in gang unschedulable: no room"));
  sink.SendGroup(JobPhase::kCompleted, 0, {{"Unschedulable", "True", "NotEnoughTasks", "0/1"}});
  sink.Settle();
  HttpRequest last;
  last.path = "/last";
  ASSERT_TRUE(sink.client_->SendAndWait(last));
  EXPECT_EQ(events.lines().size(), 2U);
}

TEST(KubeSink, what_every_cluster_must_have_is_not_made_where_its_kind_is_not_served) {
  Sink sink([](const ScriptedRequest&) { return Answer(201, "{}"); });
  sink.sink_.MakeBuiltIns("koordinator-system");
  sink.SendGroup(JobPhase::kPending, 0);
  sink.Settle();
  EXPECT_TRUE(sink.server_.requests().empty());
}

TEST(KubeSink, the_annotations_of_a_quota_go_in_one_patch) {
  Record patches;
  Sink sink([&](const ScriptedRequest& r) -> Actions {
    patches.Add(r.body);
    return Answer(200, "{}");
  });
  SeenObject quota;
  quota.path = "/quota";
  quota.uid = "u";
  QuotaStatus status;
  status.kind = "ElasticQuota";
  status.group = kSigsGroup;
  status.name = "ns/q";
  status.runtime = {{"cpu", 2000}};
  sink.state_.Record("ElasticQuota", "ElasticQuota." + status.group + "/ns/q", quota);
  CycleResult result;
  result.quotas = {status};
  result.marks = {{"ns/q", status.group, 7}};
  SessionOrders orders;
  orders.report = std::make_shared<const CycleResult>(std::move(result));
  sink.sink_.Send(std::move(orders));
  ASSERT_TRUE(patches.WaitUntil([](const auto& lines) { return !lines.empty(); }));
  sink.Settle();
  ASSERT_EQ(patches.lines().size(), 1U);
  const json::value annotations = json::parse(patches.lines()[0]).at("metadata").at("annotations");
  EXPECT_EQ(annotations.as_object().size(), 2U);
  EXPECT_EQ(annotations.at(std::string(kOverSinceAnnotation)), "7");
}

TEST(KubeSink, a_label_is_written_for_the_pod_that_was_judged_and_no_other) {
  Record patches;
  Sink sink([&](const ScriptedRequest& r) -> Actions {
    patches.Add(r.method + " " + r.target + " " + r.body);
    return Answer(200, "{}");
  });
  SessionOrders orders;
  orders.labels = {{{"ns/p", "nos.nebuly.com/capacity", "in-quota"}, "u7"}};
  orders.report = std::make_shared<const CycleResult>();
  sink.sink_.Send(std::move(orders));
  EXPECT_TRUE(
      patches.WaitForLine(R"(PATCH /api/v1/namespaces/ns/pods/p {"metadata":{"uid":"u7","labels":)"
                          R"({"nos.nebuly.com/capacity":"in-quota"}}})"));
}

TEST(KubeSink, what_is_wrong_with_a_quota_is_an_event_of_it) {
  Record events;
  Sink sink([&](const ScriptedRequest& r) -> Actions {
    if (IsEvent(r)) events.Add(r.body);
    return Answer(200, "{}");
  });
  SeenObject quota;
  quota.kind = "ElasticQuota";
  quota.namespace_ = "b";
  quota.name = "q";
  quota.uid = "u";
  sink.state_.Record("ElasticQuota", "ElasticQuota." + std::string(kSigsGroup) + "/b/q", quota);
  CycleResult result;
  result.quota_notices = {{"b/q", std::string(kSigsGroup), "ElasticQuota", "b/q is shadowed"}};
  SessionOrders orders;
  orders.report = std::make_shared<const CycleResult>(std::move(result));
  sink.sink_.Send(std::move(orders));
  ASSERT_TRUE(events.WaitUntil([](const auto& lines) { return !lines.empty(); }));
  const json::value event = json::parse(events.lines()[0]);
  EXPECT_EQ(event.at("note"), "b/q is shadowed");
  EXPECT_EQ(event.at("type"), "Warning");
  EXPECT_EQ(event.at("regarding").at("uid"), "u");
}

TEST(KubeSink, how_long_a_bind_takes_is_told_with_each_answer) {
  Sink sink([](const ScriptedRequest& r) {
    return Answer(IsEvent(r) ? 201 : r.path().contains("/p0/") ? 201 : 404, "{}");
  });
  sink.Send(2, /*status=*/false);
  sink.Outcomes(2);
  const std::vector<std::string> took = sink.took_.lines();
  EXPECT_EQ(took.size(), 2U) << "a refusal is an answer, too";
  for (const std::string& seconds : took) EXPECT_GT(std::stod(seconds), 0);
}

}  // namespace
}  // namespace batholith
