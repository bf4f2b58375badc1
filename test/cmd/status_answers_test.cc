// Answers of a status server that come late, in parts, or not to everybody.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cmd/status_server.h"
#include "test/cmd/status_client.h"

namespace batholith {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<StatusServer> ServedBy(StatusServer::Handler handler,
                                       StatusServer::Options options = {}) {
  auto server = StatusServer::Listen("127.0.0.1:0", std::move(handler), std::move(options));
  if (!server) {
    ADD_FAILURE() << server.error().message;
    std::abort();
  }
  return *std::move(server);
}

// So many parts of a megabyte each; counts those that were made.
struct Parts {
  explicit Parts(int wanted) : left(wanted) {}
  std::string Next() {
    if (left == 0) return {};
    --left;
    ++made;
    return std::string(1 << 20, 'x');
  }
  int left;
  std::atomic<int> made = 0;
};

StatusReply InParts(const std::shared_ptr<Parts>& parts) {
  return {.text = "first", .more = [parts] { return parts->Next(); }};
}

StatusReply ThreeParts(const StatusRequest& request) {
  if (request.path == "/livez") return {.text = "ok\n"};
  auto texts =
      std::make_shared<std::vector<std::string>>(std::vector<std::string>{"", "three", "two"});
  return {.text = "one", .content_type = "application/x-ndjson", .more = [texts] {
            const std::string text = texts->back();
            texts->pop_back();
            return text;
          }};
}

TEST(StatusAnswer, comes_in_chunks_where_it_has_parts) {
  const auto server = ServedBy(StatusServer::AtOnce(ThreeParts));
  const RawAnswer answer = Ask(server->port(), "GET", "/parts");
  EXPECT_EQ(answer.status(), 200);
  EXPECT_THAT(answer.head(), HasSubstr("Transfer-Encoding: chunked"));
  EXPECT_THAT(answer.head(), HasSubstr("Content-Type: application/x-ndjson"));
  EXPECT_EQ(answer.body(), "3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n");
}

TEST(StatusAnswer, of_parts_ends_with_the_connection_where_the_client_knows_no_chunks) {
  const auto server = ServedBy(StatusServer::AtOnce(ThreeParts));
  const RawAnswer answer = Exchange(server->port(), "GET /parts HTTP/1.0\r\n\r\n");
  EXPECT_EQ(answer.status(), 200);
  EXPECT_THAT(answer.head(), Not(HasSubstr("chunked")));
  EXPECT_EQ(answer.body(), "onetwothree");
}

// Of 1,000 MB no more is made than the kernel takes off the server; others are answered meanwhile.
TEST(StatusAnswer, has_no_part_made_before_the_one_before_was_taken) {
  const auto parts = std::make_shared<Parts>(1000);
  const auto server = ServedBy(StatusServer::AtOnce([&](const StatusRequest& request) {
    return request.path == "/livez" ? StatusReply{.text = "ok\n"} : InParts(parts);
  }));
  StatusClient greedy(server->port());
  greedy.Send("GET /parts HTTP/1.1\r\n\r\n");
  EXPECT_EQ(greedy.Read(12), "HTTP/1.1 200");
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
  EXPECT_LT(parts->made, 100);
}

TEST(StatusAnswer, is_forgotten_when_the_client_goes) {
  auto parts = std::make_shared<Parts>(1'000'000);
  const std::weak_ptr<Parts> watched = parts;
  const auto server = ServedBy(StatusServer::AtOnce([&](const StatusRequest& request) {
    return request.path == "/livez" ? StatusReply{.text = "ok\n"}
                                    : InParts(std::exchange(parts, nullptr));
  }));
  {
    StatusClient client(server->port());
    client.Send("GET /parts HTTP/1.1\r\n\r\n");
    EXPECT_EQ(client.Read(12), "HTTP/1.1 200");
  }
  while (!watched.expired()) EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
}

TEST(StatusAnswer, in_parts_is_over_when_the_time_of_an_answer_is) {
  auto parts = std::make_shared<Parts>(1'000'000);
  const std::weak_ptr<Parts> watched = parts;
  const auto server = ServedBy(StatusServer::AtOnce([&](const StatusRequest& request) {
                                 return request.path == "/livez"
                                            ? StatusReply{.text = "ok\n"}
                                            : InParts(std::exchange(parts, nullptr));
                               }),
                               {.limits = {.reply = milliseconds(50)}});
  StatusClient stalled(server->port());
  stalled.Send("GET /parts HTTP/1.1\r\n\r\n");
  EXPECT_EQ(stalled.Read(12), "HTTP/1.1 200");
  while (!watched.expired()) EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
}

// Whoever owes an answer to /late.
struct Debtor {
  void operator()(const StatusRequest& request, const StatusServer::Answer& answer) {
    if (request.path != "/late") return answer({.text = "ok\n"});
    const std::lock_guard lock(mutex);
    owed = answer;
    asked.set_value();
  }
  void Pay(const std::string& text) {
    const std::lock_guard lock(mutex);
    owed({.text = text});
  }
  std::mutex mutex;
  StatusServer::Answer owed;
  std::promise<void> asked;
};
StatusServer::Handler HandlerOf(Debtor& debtor) {
  return [&](const StatusRequest& r, const StatusServer::Answer& a) { debtor(r, a); };
}

TEST(StatusAnswer, may_come_later_and_from_another_thread) {
  Debtor debtor;
  const auto server = ServedBy(HandlerOf(debtor));
  StatusClient client(server->port());
  client.Send("GET /late HTTP/1.1\r\n\r\n");
  debtor.asked.get_future().wait();
  EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
  debtor.Pay("late\n");
  debtor.Pay("twice\n");
  EXPECT_EQ(client.ReadAll().body(), "late\n");
}

TEST(StatusAnswer, that_does_not_come_in_time_is_a_503) {
  Debtor debtor;
  const auto server = ServedBy(HandlerOf(debtor), {.limits = {.answer = milliseconds(50)}});
  const RawAnswer answer = Ask(server->port(), "GET", "/late");
  EXPECT_EQ(answer.status(), 503);
  EXPECT_EQ(answer.body(), "no answer came in time; ask again\n");
  debtor.Pay("too late\n");
  EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
}

TEST(StatusAnswer, may_come_when_client_and_server_are_gone) {
  Debtor debtor;
  auto server = ServedBy(HandlerOf(debtor));
  StatusClient client(server->port());
  client.Send("GET /late HTTP/1.1\r\n\r\n");
  debtor.asked.get_future().wait();
  server.reset();
  EXPECT_EQ(client.ReadAll().bytes, "");
  debtor.Pay("to nobody\n");
}

TEST(StatusGuard, keeps_the_handler_from_hearing_of_who_is_refused) {
  std::atomic<int> heard = 0;
  StatusServer::Options options;
  options.guard = [](const StatusRequest& request, const StatusServer::Verdict& verdict) {
    if (request.token == "good") return verdict(std::nullopt);
    verdict(StatusReply{.status = request.token.empty() ? 401 : 403, .text = "no\n"});
  };
  const auto server = ServedBy(StatusServer::AtOnce([&](const StatusRequest&) -> StatusReply {
                                 ++heard;
                                 return {.text = "yes\n"};
                               }),
                               std::move(options));
  const auto ask = [&](const std::string& header) {
    return Exchange(server->port(), "GET /metrics HTTP/1.1\r\n" + header + "\r\n");
  };
  EXPECT_EQ(ask("").status(), 401);
  EXPECT_THAT(ask("").head(), HasSubstr("WWW-Authenticate: Bearer"));
  EXPECT_EQ(ask("Authorization: Bearer bad\r\n").status(), 403);
  EXPECT_EQ(ask("Authorization: Basic good\r\n").status(), 401);
  EXPECT_EQ(heard, 0);
  EXPECT_EQ(ask("Authorization: Bearer good\r\n").body(), "yes\n");
  EXPECT_EQ(heard, 1);
}

TEST(StatusServer, on_loopback_only_refuses_addresses_that_others_reach) {
  for (const char* address : {":0", "0.0.0.0:0", "[::]:0"}) {
    const auto server =
        StatusServer::Listen(address, StatusServer::AtOnce(ThreeParts), {.loopback_only = true});
    ASSERT_FALSE(server) << address;
    EXPECT_EQ(server.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(server.error().message,
              "address \"" + std::string(address) +
                  "\" can be reached from other machines; expected one of loopback, such as "
                  "127.0.0.1:6060");
  }
  EXPECT_TRUE(StatusServer::Listen("localhost:0", StatusServer::AtOnce(ThreeParts),
                                   {.loopback_only = true}));
}

// A page of a browser may let a name of its own mean 127.0.0.1.
TEST(StatusServer, on_loopback_only_answers_nobody_who_means_another_host) {
  const auto server = ServedBy(StatusServer::AtOnce(ThreeParts), {.loopback_only = true});
  const auto ask = [&](const std::string& host) {
    return Exchange(server->port(), "GET /livez HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  };
  EXPECT_EQ(ask("localhost:6060").body(), "ok\n");
  EXPECT_EQ(ask("127.0.0.1").body(), "ok\n");
  const RawAnswer refused = ask("evil.example:6060");
  EXPECT_EQ(refused.status(), 421);
  EXPECT_EQ(refused.body(), "expected a Host of this machine: localhost\n");
}

}  // namespace
}  // namespace batholith
