// Binds and evictions on a server that refuses, is busy, and breaks.
#include <gmock/gmock.h>

#include <iostream>
#include <set>

#include "test/client/runner_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// ---- one order against one behaviour

struct Case {
  std::string name;
  ScriptedServer::Script script;
  std::string answer;  // begins with this
  std::vector<std::string> requests;
};

void CheckOrders(const std::vector<Case>& cases, const std::function<void(Runner&)>& order) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Runner run(c.script);
    order(run);
    EXPECT_THAT(run.Answers(), ElementsAre(StartsWith(c.answer)));
    EXPECT_EQ(run.Requests(), c.requests);
    const bool done = c.answer.ends_with("done");
    EXPECT_EQ(run.told_.lines().size(), done ? 1U : 0U);
  }
}

// To a bind: these answers one after the other, then 201; to a GET the pod.
ScriptedServer::Script Binds(std::vector<Actions> answers, const std::string& pod) {
  return [answers, pod](const ScriptedRequest& r) {
    if (r.method == "GET") return pod.empty() ? Says(404, "no pod") : Answer(200, pod);
    return r.number < answers.size() ? answers[r.number] : Answer(201, "{}");
  };
}

const std::string kDone = "bind ns/p u done";
const std::string kNo = "bind ns/p u refused: ";

TEST(OrderRunner, a_bind_names_the_pod_its_uid_and_the_node) {
  Runner run(Binds({}, ""));
  run.Bind();
  EXPECT_THAT(run.Answers(), ElementsAre(kDone));
  EXPECT_THAT(run.told_.lines(), ElementsAre("bound ns/p"));
  ASSERT_THAT(run.Requests(), ElementsAre("POST binding"));
  EXPECT_EQ(run.server_.requests()[0].target, kPodPath + "/binding");
  EXPECT_EQ(run.Body(0), json::parse(R"({"apiVersion":"v1","kind":"Binding",
      "metadata":{"name":"p","namespace":"ns","uid":"u"},
      "target":{"apiVersion":"v1","kind":"Node","name":"n1"}})"));
}

TEST(OrderRunner, a_refused_bind_is_judged_by_the_pod) {
  const Actions conflict = Says(409, "conflict");
  const std::vector<std::string> looked{"POST binding", "GET"};
  CheckOrders(
      {{"assigned to this node", Binds({conflict}, PodText("u", "", OnNode("n1"))), kDone, looked},
       {"assigned to another", Binds({conflict}, PodText("u", "", OnNode("n2"))),
        kNo + "the pod is on node n2 already", looked},
       {"being deleted", Binds({conflict}, PodText("u", kDeleting)),
        kNo + "the pod is being deleted", looked},
       {"gated", Binds({conflict}, PodText("u")), kNo + "409: conflict", looked},
       {"other uid", Binds({conflict}, PodText("u2", "", OnNode("n1"))),
        kNo + "the pod was replaced", looked},
       {"404", Binds({Says(404, "no pod")}, ""), kNo + "the pod is gone", looked},
       {"403", Binds({Says(403, "may not")}, PodText("u")), kNo + "403: may not", looked}},
      [](Runner& run) { run.Bind(); });
}

TEST(OrderRunner, a_bind_that_may_have_happened_is_looked_up) {
  const std::string there = PodText("u", "", OnNode("n1"));
  const std::vector<std::string> looked{"POST binding", "GET"};
  const std::vector<std::string> again{"POST binding", "GET", "POST binding"};
  CheckOrders({{"reset, and it happened", Binds({{Reset()}}, there), kDone, looked},
               {"reset, and it did not", Binds({{Reset()}}, PodText("u")), kDone, again},
               {"closed, and it happened", Binds({{Close()}}, there), kDone, looked},
               {"500, and it happened", Binds({Says(500, "etcd")}, there), kDone, looked},
               {"500, and it did not", Binds({Says(500, "etcd")}, PodText("u")), kDone, again},
               {"504, and it did not", Binds({Says(504, "slow")}, PodText("u")), kDone, again}},
              [](Runner& run) { run.Bind(); });
}

TEST(OrderRunner, a_bind_that_timed_out_is_looked_up) {
  for (const bool happened : {true, false}) {
    OrderOptions options = Runner::Quick();
    options.timeout = std::chrono::milliseconds(300);
    const std::string pod = PodText("u", "", happened ? OnNode("n1") : "");
    Runner run(Binds({{WaitFor("never")}}, pod), options);
    run.Bind();
    EXPECT_THAT(run.Answers(), ElementsAre(kDone));
    EXPECT_EQ(run.Requests().size(), happened ? 2U : 3U);
  }
}

TEST(OrderRunner, a_busy_server_is_asked_again_after_the_time_that_it_names) {
  const auto began = std::chrono::steady_clock::now();
  Runner run(Binds({Answer(429, "", "Retry-After: 1\r\n")}, ""));
  run.Bind();
  EXPECT_THAT(run.Answers(), ElementsAre(kDone));
  EXPECT_THAT(run.Requests(), ElementsAre("POST binding", "POST binding"));
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::seconds(1));
}

TEST(OrderRunner, an_order_is_given_up_after_its_tries) {
  const auto always = [](Actions actions, const std::string& pod) -> ScriptedServer::Script {
    return [actions, pod](const ScriptedRequest& r) {
      return r.method == "GET" ? Answer(200, pod) : actions;
    };
  };
  std::vector<std::string> writes(5, "POST binding");
  std::vector<std::string> writes_and_look = writes;
  writes_and_look.push_back("GET");
  std::vector<std::string> both;
  for (int i = 0; i < 5; ++i) both.insert(both.end(), {"POST binding", "GET"});
  CheckOrders({{"429", always(Says(429, "busy"), ""), kNo + "429: busy", writes},
               {"503: a proxy may have passed it on",
                always(Says(503, "away"), PodText("u", "", OnNode("n1"))), kDone, writes_and_look},
               {"503, and it did not", always(Says(503, "away"), PodText("u")), kNo + "503: away",
                writes_and_look},
               {"500", always(Says(500, "oh"), PodText("u")), kNo + "500: oh", both},
               {"resets", always({Reset()}, PodText("u")), kNo, both}},
              [](Runner& run) { run.Bind(); });
}

TEST(OrderRunner, a_look_without_an_answer_is_repeated_until_there_is_one) {
  Runner run([](const ScriptedRequest& r) -> Actions {
    if (r.method != "GET") return {Reset()};
    if (r.number < 4) return {Reset()};
    if (r.number < 8) return Says(500, "etcd");
    if (r.number < 10) return Answer(200, "no pod at all");
    return Answer(200, PodText("u", "", OnNode("n1")));
  });
  run.Bind();
  EXPECT_THAT(run.Answers(), ElementsAre(kDone));
  const std::size_t requests = run.Requests().size();
  std::cout << "requests of one bind over ten bad looks: " << requests << "\n";
  EXPECT_EQ(requests, 12U) << "1 write, 10 bad looks, 1 good one";
  EXPECT_EQ(run.heard_.lines().size(), 1U) << "the pod is told on";
}

TEST(OrderRunner, who_may_not_read_pods_is_not_asked_for_ever) {
  Runner run([](const ScriptedRequest& r) -> Actions {
    if (r.method != "GET") return {Reset()};
    return Says(403, "may not get pods");
  });
  run.Bind();
  EXPECT_THAT(run.Answers(), ElementsAre(HasSubstr("GET: 403: may not get pods")));
  EXPECT_EQ(run.Requests().size(), 6U);
}

TEST(OrderRunner, what_never_left_is_tried_again_and_needs_no_look) {
  Record answers;
  auto client = std::make_unique<HttpClient>(AccessTo(DeadUrl()), HttpOptions{});
  OrderRunner runner(
      *client, Runner::Quick(),
      {[] { return true; }, [&](const EffectOutcome& o) { answers.Add(o.done ? "done" : o.why); },
       [](const json::value&) { ADD_FAILURE() << "nothing to hear"; }, [](const BindOrder&) {},
       [](const EvictOrder&) {}});
  client->Post([&] { runner.Add(BindOrder{{"ns/p", "ns/g", "q", "n1", "a"}, "u"}); });
  const bool answered = answers.WaitUntil([](const auto& lines) { return !lines.empty(); });
  client.reset();  // before the runner, whose tasks run on its thread
  ASSERT_TRUE(answered);
  EXPECT_THAT(answers.lines(), ElementsAre(HasSubstr("POST http://127.0.0.1")));
}

// ---- evictions

const std::string kEvicted = "evict ns/p u done";
const std::string kStays = "evict ns/p u refused: ";

// To a DELETE or an eviction these answers, then 200; to a GET the pod.
ScriptedServer::Script Evicts(std::vector<Actions> answers, const std::string& pod) {
  return [answers, pod](const ScriptedRequest& r) {
    if (r.method == "GET") return pod.empty() ? Says(404, "no pod") : Answer(200, pod);
    if (r.method == "PATCH") return Answer(200, "{}");
    // Requests of the pod's own path are counted together, the looks between them too.
    const std::size_t n = r.method == "DELETE" ? r.number / 2 : r.number;
    return n < answers.size() ? answers[n] : Answer(200, "{}");
  };
}

TEST(OrderRunner, an_eviction_says_why_on_the_pod_and_then_deletes_it_by_its_uid) {
  Runner run(Evicts({}, ""));
  run.Evict();
  EXPECT_THAT(run.Answers(), ElementsAre(kEvicted));
  EXPECT_THAT(run.told_.lines(), ElementsAre("evicted ns/p"));
  ASSERT_THAT(run.Requests(), ElementsAre("PATCH status", "DELETE"));
  const ScriptedRequest patch = run.server_.requests()[0];
  EXPECT_EQ(patch.headers.at("content-type"), "application/strategic-merge-patch+json");
  const json::value body = run.Body(0);
  EXPECT_EQ(body.at("metadata").at("uid"), "u");
  const json::value& condition = body.at("status").at("conditions").at(0);
  EXPECT_EQ(condition.at("type"), "DisruptionTarget");
  EXPECT_EQ(condition.at("status"), "True");
  EXPECT_EQ(condition.at("reason"), "PreemptionByScheduler");
  EXPECT_EQ(run.Body(1), json::parse(R"({"apiVersion":"v1","kind":"DeleteOptions",
      "preconditions":{"uid":"u"}})"));
}

TEST(OrderRunner, an_eviction_is_judged_by_the_pod) {
  const Actions conflict = Says(409, "conflict");
  const std::vector<std::string> looked{"PATCH status", "DELETE", "GET"};
  const std::vector<std::string> again{"PATCH status", "DELETE", "GET", "DELETE"};
  CheckOrders(
      {{"another uid is another pod", Evicts({conflict}, PodText("u2")), kEvicted, looked},
       {"it leaves already", Evicts({conflict}, PodText("u", kDeleting)), kEvicted, looked},
       {"refused", Evicts({Says(403, "may not")}, PodText("u")), kStays + "403: may not", looked},
       {"404", Evicts({Says(404, "no pod")}, ""), kEvicted, looked},
       {"500, and it happened", Evicts({Says(500, "oh")}, ""), kEvicted, looked},
       {"500, and it did not", Evicts({Says(500, "oh")}, PodText("u")), kEvicted, again},
       {"reset, and it happened", Evicts({{Reset()}}, PodText("u", kDeleting)), kEvicted, looked},
       {"reset, and it did not", Evicts({{Reset()}}, PodText("u")), kEvicted, again}},
      [](Runner& run) { run.Evict(); });
}

TEST(OrderRunner, whoever_cannot_be_told_why_goes_all_the_same) {
  for (const Actions& answer : {Says(403, "may not"), Says(500, "oh"), Actions{Reset()}}) {
    Runner run([answer](const ScriptedRequest& r) {
      return r.method == "PATCH" ? answer : Answer(200, "{}");
    });
    run.Evict();
    EXPECT_THAT(run.Answers(), ElementsAre(kEvicted));
    EXPECT_THAT(run.Requests(), ElementsAre("PATCH status", "DELETE"));
  }
}

TEST(OrderRunner, a_revoke_asks_for_an_eviction_and_a_budget_may_say_no) {
  CheckOrders({{"granted", Evicts({}, ""), kEvicted, {"POST eviction"}},
               {"a budget forbids",
                Evicts({Says(429, "budget")}, PodText("u")),
                kStays + "429: budget",
                {"POST eviction"}},
               {"500, and it did not",
                Evicts({Says(500, "oh")}, PodText("u")),
                kEvicted,
                {"POST eviction", "GET", "POST eviction"}}},
              [](Runner& run) { run.Evict("revoke", EvictBy::kEviction); });
  Runner run(Evicts({}, ""));
  run.Evict("revoke", EvictBy::kEviction);
  run.Answers();
  EXPECT_EQ(run.Body(0), json::parse(R"({"apiVersion":"policy/v1","kind":"Eviction",
      "metadata":{"name":"p","namespace":"ns"},"deleteOptions":{"preconditions":{"uid":"u"}}})"));
}

TEST(OrderRunner, a_revoke_by_deletion_asks_no_budget) {
  Runner run(Evicts({}, ""));
  run.Evict("revoke", EvictBy::kDeletion);
  EXPECT_THAT(run.Answers(), ElementsAre(kEvicted));
  EXPECT_THAT(run.Requests(), ElementsAre("PATCH status", "DELETE"));
  EXPECT_EQ(run.Body(1), json::parse(R"({"apiVersion":"v1","kind":"DeleteOptions",
      "preconditions":{"uid":"u"}})"));
}

// ---- many

TEST(OrderRunner, nothing_is_sent_without_the_lease_and_all_are_answered) {
  constexpr std::size_t kMany = 200'000;  // none of them may stand on another's stack
  Runner run([](const ScriptedRequest&) { return Answer(201, "{}"); });
  run.leads_ = false;
  Record gate;
  run.client_->Post([&] {
    for (std::size_t i = 0; i < kMany; ++i)
      run.runner_.Add(BindOrder{{"ns/p", "ns/g", "q", "n1", "a"}, "u"});
    gate.Add("added");
  });
  ASSERT_TRUE(gate.WaitForLine("added"));
  EXPECT_EQ(run.Answers(kMany).back(), kNo + "this replica does not lead any more");
  EXPECT_TRUE(run.Requests().empty());
}

TEST(OrderRunner, orders_that_wait_when_the_lease_is_lost_are_answered_and_not_sent) {
  constexpr std::size_t kMany = 100'000;
  constexpr std::size_t kLast = 63;  // of those that are sent at once, from 0
  Runner* self = nullptr;
  Record gate;
  Runner run([&](const ScriptedRequest& r) -> Actions {
    if (r.number == kLast) {
      self->leads_ = false;
      gate.Add("all on their way");
    }
    return {WaitFor("go"), Answer(201, "{}").front()};
  });
  self = &run;
  run.client_->Post([&] {
    for (std::size_t i = 0; i < kMany; ++i)
      run.runner_.Add(BindOrder{{"ns/p", "ns/g", "q", "n1", "a"}, "u"});
  });
  ASSERT_TRUE(gate.WaitForLine("all on their way"));
  run.server_.Open("go");
  std::size_t done = 0;
  for (const std::string& answer : run.Answers(kMany)) done += answer == kDone ? 1 : 0;
  EXPECT_EQ(done, 64U) << "what was on its way";
  EXPECT_EQ(run.Requests().size(), 64U);
}

TEST(OrderRunner, an_order_whose_turn_comes_after_the_lease_is_lost_is_not_sent) {
  Runner run([](const ScriptedRequest&) -> Actions { return {Answer(201, "{}").front()}; });
  run.client_->Post([&] {
    run.runner_.Add(BindOrder{{"ns/p", "ns/g", "q", "n1", "a"}, "u"});
    run.leads_ = false;  // a replica that was frozen here, with the request handed over
  });
  EXPECT_THAT(run.Answers(), ElementsAre(kNo + "this replica does not lead any more"));
  EXPECT_TRUE(run.Requests().empty());
}

TEST(OrderRunner, a_look_ends_with_the_lease) {
  Runner* self = nullptr;
  Runner run([&self](const ScriptedRequest& r) -> Actions {
    if (r.method == "GET" && r.number == 3) self->leads_ = false;
    return {Reset()};
  });
  self = &run;
  run.Bind();
  EXPECT_THAT(run.Answers(), ElementsAre(kNo + "this replica does not lead any more"));
}

TEST(OrderRunner, so_many_and_no_more_are_on_their_way_and_each_is_answered_once) {
  constexpr std::size_t kMany = 300;
  Record came;
  OrderOptions options = Runner::Quick();
  options.parallel = 8;  // the client has a limit of 64 of its own
  Runner run(
      [&came, n = 0](const ScriptedRequest& r) mutable -> Actions {
        if (r.path() == "/probe") return Answer(200, "{}");
        if (r.method == "GET") return Answer(200, PodText("u"));
        came.Add(r.target);
        return {WaitFor("go"), ++n % 7 == 0 ? Reset() : Answer(201, "{}").front()};
      },
      options);
  run.client_->Post([&] {
    for (std::size_t i = 0; i < kMany; ++i)
      run.runner_.Add(BindOrder{{fmt::format("ns/p{}", i), "ns/g", "q", "n1", "a"}, "u"});
  });
  ASSERT_TRUE(came.WaitUntil([](const auto& lines) { return lines.size() >= 8; }));
  HttpRequest probe;  // comes after whatever was sent with the eight
  probe.path = "/probe";
  ASSERT_TRUE(run.client_->SendAndWait(probe));
  EXPECT_EQ(came.lines().size(), 8U);
  run.server_.Open("go");
  std::set<std::string> once;
  for (const std::string& answer : run.Answers(kMany)) once.insert(answer);
  EXPECT_EQ(once.size(), kMany);
}

}  // namespace
}  // namespace batholith
