// Streams, timers, cancelling and the end of the client; all of it from several threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "client/http/http.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;

HttpStream Recording(Record& record) {
  return {.on_begin =
              [&](const HttpReply& reply) { record.Add("begin " + std::to_string(reply.status)); },
          .on_data = [&](std::string_view data) { record.Add("data " + std::string(data)); },
          .on_end =
              [&](const std::optional<HttpFailure>& failure) {
                record.Add(failure ? "failed" : "end");
              }};
}

// Waits until the client's thread has done all that it was told before.
void Settle(HttpClient& client) {
  std::promise<void> turn;
  client.Post([&] { turn.set_value(); });
  turn.get_future().wait();
}

TEST(HttpStream, data_comes_when_it_is_sent_and_the_end_after_it) {
  ScriptedServer server([](const ScriptedRequest&) {
    return Actions{Head(200), Chunk("one"), WaitFor("more"), Chunk("two"), Last()};
  });
  HttpClient client(AccessTo(server.url()), {});
  Record record;
  client.Stream(Get("/"), Recording(record));
  ASSERT_TRUE(record.WaitForLine("data one"));
  server.Open("more");
  ASSERT_TRUE(record.WaitForLine("end"));
  EXPECT_THAT(record.lines(), ElementsAre("begin 200", "data one", "data two", "end"));
}

TEST(HttpStream, the_body_of_a_refusal_comes_too) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(403, "why"); });
  HttpClient client(AccessTo(server.url()), {});
  Record record;
  client.Stream(Get("/"), Recording(record));
  ASSERT_TRUE(record.WaitForLine("end"));
  EXPECT_THAT(record.lines(), ElementsAre("begin 403", "data why", "end"));
}

TEST(HttpStream, a_401_is_tried_again_and_only_the_second_answer_is_told) {
  const TestFolder folder;
  ClusterAccess access;
  access.token_file = folder.Write("token", "old");
  ScriptedServer server([&](const ScriptedRequest& request) {
    folder.Write("token", "newer");
    return Answer(request.headers.at("authorization") == "Bearer old" ? 401 : 200, "x");
  });
  access.server = server.url();
  HttpClient client(access, {});
  Record record;
  client.Stream(Get("/"), Recording(record));
  ASSERT_TRUE(record.WaitForLine("end"));
  EXPECT_THAT(record.lines(), ElementsAre("begin 200", "data x", "end"));
}

TEST(HttpStream, the_deadline_is_for_its_beginning) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.path() == "/begins") return Actions{Head(200), WaitFor("more"), Last()};
    return Actions{WaitFor("never")};
  });
  HttpClient client(AccessTo(server.url()), {});
  Record begins;
  Record hangs;
  HttpRequest request = Get("/begins");
  request.timeout = std::chrono::seconds(2);
  client.Stream(request, Recording(begins));
  ASSERT_TRUE(begins.WaitForLine("begin 200"));
  request.path = "/hangs";
  client.Stream(request, Recording(hangs));
  // It began later than the other one and ends at its deadline; the other one goes on.
  ASSERT_TRUE(hangs.WaitForLine("failed"));
  server.Open("more");
  ASSERT_TRUE(begins.WaitForLine("end"));
}

TEST(HttpStream, nothing_comes_after_it_cancelled_itself) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.path() == "/other") return Answer(200, "");
    return Actions{Head(200), Chunk("one"), Chunk("two"), WaitFor("end")};
  });
  HttpClient client(AccessTo(server.url()), {});
  for (const std::string stage : {"begin", "data"}) {
    Record record;
    HttpClient::Token token = 0;
    std::promise<void> started;
    client.Post([&] {
      HttpStream stream = Recording(record);
      const auto cancel_at = [&](const std::string& here) {
        if (here == stage) client.Cancel(token);
        if (here == stage) record.Add("cancelled");
      };
      stream.on_begin = [=, &record](const HttpReply&) { cancel_at("begin"); };
      stream.on_data = [=](std::string_view) { cancel_at("data"); };
      token = client.Stream(Get("/"), std::move(stream));
      started.set_value();
    });
    started.get_future().wait();
    ASSERT_TRUE(record.WaitForLine("cancelled"));
    ASSERT_TRUE(client.SendAndWait(Get("/other")));
    EXPECT_THAT(record.lines(), ElementsAre("cancelled")) << stage;
  }
}

TEST(HttpStream, cancelled_before_it_starts_it_is_never_sent) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(200, ""); });
  HttpClient client(AccessTo(server.url()), {});
  Record record;
  client.Post([&] {
    client.Cancel(client.Stream(Get("/"), Recording(record)));
    client.Cancel(client.After(std::chrono::milliseconds(0), [&] { record.Add("timer"); }));
  });
  Settle(client);
  ASSERT_TRUE(client.SendAndWait(Get("/other")));
  EXPECT_TRUE(record.lines().empty());
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(HttpStream, a_silent_stream_ends_and_a_lively_one_does_not) {
  ScriptedServer server(
      [](const ScriptedRequest&) { return Actions{Head(200), Chunk("one"), WaitFor("end")}; });
  HttpOptions options;
  options.idle_timeout = std::chrono::seconds(1);
  HttpClient client(AccessTo(server.url()), options);
  Record record;
  HttpStream stream = Recording(record);
  stream.on_end = [&](const std::optional<HttpFailure>& failure) { record.Add(failure->message); };
  client.Stream(Get("/x?secret=1"), std::move(stream));
  ASSERT_TRUE(record.WaitForLine("GET " + server.url() + "/x: silent for 1 s"));
}

TEST(HttpClient, its_end_calls_nobody_back) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.path() == "/open" ? Actions{Head(200), Chunk("x"), WaitFor("end")}
                                     : Actions{WaitFor("end")};
  });
  Record record;
  Record ends;
  {
    HttpClient client(AccessTo(server.url()), {.qps = 0.01, .burst = 1});
    HttpStream stream = Recording(record);
    stream.on_end = [&](const std::optional<HttpFailure>&) { ends.Add("stream"); };
    client.Stream(Get("/open"), std::move(stream));
    for (int i = 0; i < 3; ++i)
      client.Send(Get("/hangs"), [&](const HttpResult&) { ends.Add("send"); });
    client.After(std::chrono::hours(1), [&] { ends.Add("timer"); });
    ASSERT_TRUE(record.WaitForLine("data x"));
  }
  EXPECT_TRUE(ends.lines().empty());
}

// What callbacks hold may use the client while it goes away.
TEST(HttpClient, what_callbacks_hold_may_cancel_while_the_client_ends) {
  ScriptedServer server([](const ScriptedRequest&) { return Actions{WaitFor("end")}; });
  struct Canceller {
    HttpClient& client;
    HttpClient::Token token = 0;
    ~Canceller() { client.Cancel(token); }
  };
  HttpClient client(AccessTo(server.url()), {});
  const auto canceller = std::make_shared<Canceller>(client);
  canceller->token = client.After(std::chrono::hours(1), [] {});
  client.Send(Get("/"), [canceller](const HttpResult&) {});
}

TEST(HttpClient, timers_run_on_its_thread_in_order) {
  HttpClient client(AccessTo(DeadUrl()), {});
  Record record;
  std::promise<std::thread::id> id;
  client.Post([&] { id.set_value(std::this_thread::get_id()); });
  const std::thread::id thread = id.get_future().get();
  const auto add = [&](const std::string& line) {
    return [&record, line, thread] {
      record.Add(line + (std::this_thread::get_id() == thread ? "" : "?"));
    };
  };
  client.After(std::chrono::milliseconds(20), add("second"));
  client.After(std::chrono::milliseconds(1), add("first"));
  ASSERT_TRUE(record.WaitForLine("second"));
  EXPECT_THAT(record.lines(), ElementsAre("first", "second"));
}

// 64 wait for their answers; the others are sent when those have come, and a lease at once.
TEST(HttpClient, a_burst_is_sent_a_few_at_a_time) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.path() == "/lease" ? Answer(200, "{}")
                                      : Actions{WaitFor("go"), Answer(200, "{}").front()};
  });
  HttpClient client(AccessTo(server.url()), {});
  Record done;
  for (int i = 0; i < 200; ++i)
    client.Send(Get("/burst"), [&](const HttpResult& reply) { done.Add(reply ? "" : "failed"); });
  HttpRequest lease = Get("/lease");
  lease.limited = false;
  ASSERT_TRUE(client.SendAndWait(lease));
  EXPECT_LE(server.requests().size(), 65U);
  server.Open("go");
  ASSERT_TRUE(done.WaitUntil([](const auto& lines) { return lines.size() == 200; }));
  EXPECT_EQ(std::ranges::count(done.lines(), "failed"), 0);
}

TEST(HttpClient, many_threads_may_use_it_at_once) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 50;
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.path() == "/stream" ? Actions{Head(200), Chunk("x"), Last()} : Answer(200, "{}");
  });
  HttpClient client(AccessTo(server.url()), {});
  std::atomic<int> answers = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        if (client.SendAndWait(Get("/wait"))) ++answers;
        client.Cancel(
            client.Stream(Get("/stream"), {[](const HttpReply&) {}, [](std::string_view) {},
                                           [](const std::optional<HttpFailure>&) {}}));
        client.Cancel(client.After(std::chrono::milliseconds(1), [] {}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers, kThreads * kRounds);
}

}  // namespace
}  // namespace batholith
