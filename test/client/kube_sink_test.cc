// What a session decided, written to a scripted server.
#include "client/write/kube_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "api/elastic_quota.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// A sink on a server; `waiting` is a pod of which nothing is written yet.
class Sink {
 public:
  explicit Sink(ScriptedServer::Script script)
      : server_(std::move(script)),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        source_(*client_, inbox_, state_, {}),
        sink_(*client_, source_, state_, inbox_, Options()) {
    SeenObject pod;
    pod.path = "/api/v1/namespaces/ns/pods/waiting";
    pod.namespace_ = "ns";
    pod.name = "waiting";
    pod.uid = "u";
    state_.Record("Pod", "ns/waiting", pod);
  }
  ~Sink() { client_.reset(); }

  void Send(std::size_t binds, bool status, const std::string& message = "no room") {
    SessionOrders orders;
    orders.session = "s-1";
    for (std::size_t i = 0; i < binds; ++i)
      orders.binds.push_back({{"ns/p" + std::to_string(i), "ns/g", "q", "n1", "allocate"}, "u"});
    CycleResult result;
    if (status) result.pods.push_back({"ns/waiting", "Unschedulable", message});
    orders.report = std::make_shared<const CycleResult>(std::move(result));
    sink_.Send(std::move(orders));
  }
  std::vector<std::string> Outcomes(std::size_t count) {
    std::vector<std::string> out;
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (out.size() < count && std::chrono::steady_clock::now() < deadline) {
      for (const ClusterEvent& event : inbox_.TakeUntil(deadline)) {
        const auto& outcome = std::get<EffectOutcome>(event);
        out.push_back(outcome.pod + (outcome.done ? " done" : " " + outcome.why));
      }
    }
    return out;
  }
  // What the client's thread has to do now is done.
  void Settle() {
    Record done;
    client_->Post([&] { done.Add("done"); });
    EXPECT_TRUE(done.WaitForLine("done"));
  }

  std::atomic<bool> leads_ = true;
  Record took_;
  EventInbox inbox_;
  ServerState state_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  KubeSource source_;
  KubeSink sink_;

 private:
  KubeSinkOptions Options() {
    KubeSinkOptions options;
    options.component = "volcano";
    options.instance = "here";
    options.may_send = [this] { return leads_.load(); };
    options.bind_took = [this](double seconds) { took_.Add(std::to_string(seconds)); };
    return options;
  }
};

bool IsEvent(const ScriptedRequest& r) { return r.path().ends_with("/events"); }

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
  Record idle;
  sink.server_.Open("PATCH");
  std::function<void()> look = [&] {
    if (sink.sink_.IsIdle()) return idle.Add("idle");
    sink.client_->After(std::chrono::milliseconds(1), look);
  };
  sink.client_->Post(look);
  EXPECT_TRUE(idle.WaitForLine("idle"));
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
