#include "cmd/status_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cmd/listen_address.h"
#include "test/cmd/status_client.h"

namespace batholith {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::size_t kMuch = 32 << 20;  // more than the kernel keeps for a client

StatusReply Pages(const StatusRequest& request) {
  if (request.path == "/livez") return {.text = "ok\n"};
  if (request.path == "/much") return {.text = std::string(kMuch, 'x')};
  if (request.path == "/debug/loglevel")
    return {.text = request.method + " " + request.body + "\n"};
  if (request.path == "/debug/conf")
    return {.text = "actions: allocate\n", .content_type = "application/yaml"};
  if (request.path == "/debug/explain") {
    const auto pod = request.query.find("pod");
    if (pod == request.query.end()) return {400, "pod=NAMESPACE/NAME is missing\n"};
    return {.text = "why " + pod->second + "\n"};
  }
  return {.status = 404};
}

std::unique_ptr<StatusServer> ServedPages(StatusLimits limits = {},
                                          const std::string& address = "127.0.0.1:0") {
  auto server = StatusServer::Listen(address, StatusServer::AtOnce(Pages), {.limits = limits});
  if (!server) {
    ADD_FAILURE() << server.error().message;
    std::abort();
  }
  return std::move(*server);
}

TEST(StatusServer, answers_with_the_handler_s_page) {
  const auto server = ServedPages();
  const RawAnswer answer = Ask(server->port(), "GET", "/livez");
  EXPECT_EQ(answer.status(), 200);
  EXPECT_EQ(answer.body(), "ok\n");
  EXPECT_THAT(answer.head(), HasSubstr("Content-Length: 3"));
  EXPECT_THAT(answer.head(), HasSubstr("Content-Type: text/plain; charset=utf-8"));
  EXPECT_THAT(answer.head(), HasSubstr("Connection: close"));
  EXPECT_THAT(Ask(server->port(), "GET", "/debug/conf").head(), HasSubstr("application/yaml"));
}

TEST(StatusServer, decodes_the_query) {
  const auto server = ServedPages();
  EXPECT_EQ(Ask(server->port(), "GET", "/debug/explain?pod=ns/name").body(), "why ns/name\n");
  EXPECT_EQ(Ask(server->port(), "GET", "/debug/explain?x=1&pod=ns%2fa+b").body(), "why ns/a b\n");
  EXPECT_EQ(Ask(server->port(), "GET", "/debug/explain").status(), 400);
}

TEST(StatusServer, answers_head_like_get_without_the_body) {
  const auto server = ServedPages();
  const RawAnswer answer = Ask(server->port(), "HEAD", "/livez");
  EXPECT_EQ(answer.status(), 200);
  EXPECT_THAT(answer.head(), HasSubstr("Content-Length: 3"));
  EXPECT_EQ(answer.body(), "");
}

TEST(StatusServer, says_what_a_status_without_text_means) {
  const auto server = ServedPages();
  const RawAnswer answer = Ask(server->port(), "GET", "/nothing");
  EXPECT_EQ(answer.status(), 404);
  EXPECT_EQ(answer.body(), "404 Not Found\n");
}

TEST(StatusServer, takes_a_put_of_the_log_level_and_no_other_change) {
  const auto server = ServedPages();
  EXPECT_EQ(Ask(server->port(), "PUT", "/debug/loglevel", "debug").body(), "PUT debug\n");
  EXPECT_EQ(Ask(server->port(), "GET", "/debug/loglevel").body(), "GET \n");
  for (const char* method : {"POST", "DELETE", "OPTIONS", "CONNECT", "NONSENSE"}) {
    const RawAnswer answer = Ask(server->port(), method, "/debug/loglevel");
    EXPECT_EQ(answer.status(), 405) << method;
    EXPECT_THAT(answer.head(), HasSubstr("Allow: GET, HEAD, PUT")) << method;
  }
  const RawAnswer put = Ask(server->port(), "PUT", "/livez", "x");
  EXPECT_EQ(put.status(), 405);
  EXPECT_EQ(put.body(), "405 Method Not Allowed\n");
  EXPECT_THAT(put.head(), HasSubstr("Allow: GET, HEAD\r\n"));
}

TEST(StatusServer, refuses_what_is_no_request_or_too_long) {
  const auto server = ServedPages();
  const int port = server->port();
  EXPECT_EQ(Exchange(port, "nonsense\r\n\r\n").status(), 400);
  EXPECT_EQ(Exchange(port, "GET /livez HTTP/9.9\r\n\r\n").status(), 400);
  EXPECT_EQ(Ask(port, "GET", "livez").status(), 400);
  EXPECT_EQ(Ask(port, "GET", "/debug/explain?pod=%zz").status(), 400);
  EXPECT_EQ(Exchange(port, std::string(100'000, 'x')).status(), 431);
  EXPECT_EQ(Ask(port, "GET", "/" + std::string(9000, 'x')).status(), 431);
  EXPECT_EQ(Exchange(port, "GET / HTTP/1.1\r\nA: " + std::string(1'000'000, 'x')).status(), 431);
  EXPECT_EQ(Ask(port, "PUT", "/debug/loglevel", std::string(5000, 'x')).status(), 413);
  const std::string chunk = "1000\r\n" + std::string(0x1000, 'x') + "\r\n";
  EXPECT_EQ(Exchange(port, "PUT /debug/loglevel HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" +
                               chunk + chunk + chunk)
                .status(),
            413);
  EXPECT_EQ(Ask(port, "GET", "/livez").status(), 200);
}

TEST(StatusServer, answers_the_first_request_of_a_pipeline_only) {
  const auto server = ServedPages();
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "GET /livez HTTP/1.1\r\n\r\n";
  const RawAnswer answer = Exchange(server->port(), requests);
  EXPECT_EQ(answer.status(), 200);
  EXPECT_EQ(answer.body(), "ok\n");
}

TEST(StatusServer, lets_a_client_without_a_request_go) {
  const auto server = ServedPages({.request = milliseconds(50)});
  StatusClient silent(server->port());
  StatusClient half(server->port());
  half.Send("GET /livez HT");
  EXPECT_EQ(silent.ReadAll().bytes, "");
  EXPECT_EQ(half.ReadAll().bytes, "");
}

// A byte now and then does not buy more time.
TEST(StatusServer, lets_a_client_go_that_never_finishes_its_request) {
  const auto server = ServedPages({.request = milliseconds(50), .header_bytes = 64 << 20});
  StatusClient slow(server->port());
  slow.Send("GET /livez HTTP/1.1\r\nX: ");
  while (slow.connected()) slow.Send("x");
  EXPECT_EQ(slow.ReadAll().bytes, "");
}

TEST(StatusServer, answers_others_while_a_client_is_silent_or_does_not_read) {
  const auto server = ServedPages();
  StatusClient silent(server->port());
  StatusClient greedy(server->port());
  greedy.Send("GET /much HTTP/1.1\r\n\r\n");
  const std::string begin = greedy.Read(12);
  EXPECT_EQ(begin, "HTTP/1.1 200");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
  const RawAnswer answer{begin + greedy.ReadAll().bytes};
  EXPECT_EQ(answer.body().size(), kMuch);
}

TEST(StatusServer, asks_for_no_more_pages_while_too_much_waits_to_be_sent) {
  const auto server = ServedPages({.unsent_bytes = 1 << 20});
  StatusClient greedy(server->port());
  greedy.Send("GET /much HTTP/1.1\r\n\r\n");
  EXPECT_EQ(greedy.Read(12), "HTTP/1.1 200");
  EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 503);
  EXPECT_GT(greedy.ReadAll().bytes.size(), kMuch);
  EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
}

// There is room again once its time is up.
TEST(StatusServer, lets_a_client_go_that_does_not_take_its_answer) {
  const auto server = ServedPages({.reply = milliseconds(50), .unsent_bytes = 1 << 20});
  StatusClient greedy(server->port());
  greedy.Send("GET /much HTTP/1.1\r\n\r\n");
  EXPECT_EQ(greedy.Read(12), "HTTP/1.1 200");
  int status = 503;
  while (status == 503) status = Ask(server->port(), "GET", "/livez").status();
  EXPECT_EQ(status, 200);
  EXPECT_LT(greedy.ReadAll().bytes.size(), kMuch);
}

TEST(StatusServer, ends_the_oldest_silent_client_for_one_more) {
  const auto server = ServedPages({.connections = 3});
  StatusClient greedy(server->port());
  greedy.Send("GET /much HTTP/1.1\r\n\r\n");
  EXPECT_EQ(greedy.Read(12), "HTTP/1.1 200");
  StatusClient first(server->port());
  StatusClient second(server->port());
  EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
  EXPECT_EQ(first.ReadAll().bytes, "");
  second.Send("GET /livez HTTP/1.1\r\n\r\n");
  EXPECT_EQ(second.ReadAll().status(), 200);
  EXPECT_GT(greedy.ReadAll().bytes.size(), kMuch);
}

TEST(StatusServer, answers_many_clients_at_once) {
  const auto server = ServedPages();
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        answered += Ask(server->port(), "GET", "/livez").body() == "ok\n";
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 400);
}

TEST(StatusServer, outlives_random_bytes) {
  const auto server = ServedPages();
  std::mt19937_64 random(7);
  const std::string good = "PUT /debug/loglevel?a=%41&b HTTP/1.1\r\nContent-Length: 5\r\n\r\ndebug";
  for (int i = 0; i < 300; ++i) {
    std::string bytes = good;
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    StatusClient client(server->port());
    client.Send(bytes);
    client.CloseSending();
    client.ReadAll();
  }
  EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
}

TEST(StatusServer, ends_at_once_with_all_its_clients) {
  auto server = ServedPages();
  StatusClient silent(server->port());
  StatusClient greedy(server->port());
  greedy.Send("GET /much HTTP/1.1\r\n\r\n");
  EXPECT_EQ(greedy.Read(12), "HTTP/1.1 200");
  const int port = server->port();
  server.reset();
  EXPECT_EQ(silent.ReadAll().bytes, "");
  EXPECT_LT(greedy.ReadAll().bytes.size(), kMuch);
  EXPECT_FALSE(StatusClient(port).connected());
}

TEST(StatusServer, listens_on_every_interface_where_no_host_is_named) {
  const auto server = ServedPages({}, ":0");
  EXPECT_EQ(Ask(server->port(), "GET", "/livez").status(), 200);
  StatusClient six(server->port(), "::1");
  if (!six.connected()) GTEST_SKIP() << "this machine has no IPv6";
  six.Send("GET /livez HTTP/1.1\r\n\r\n");
  EXPECT_EQ(six.ReadAll().body(), "ok\n");
}

TEST(StatusServer, listens_on_a_host_by_name) {
  const auto server = ServedPages({}, "localhost:0");
  StatusClient four(server->port());
  StatusClient six(server->port(), "::1");
  EXPECT_TRUE(four.connected() || six.connected());
}

TEST(StatusServer, says_why_it_cannot_listen) {
  const auto server = ServedPages();
  const std::string taken = "127.0.0.1:" + std::to_string(server->port());
  const auto second = StatusServer::Listen(taken, StatusServer::AtOnce(Pages));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(second.error().message, "cannot listen on " + taken + ": Address already in use");
  const auto bad = StatusServer::Listen("8080", StatusServer::AtOnce(Pages));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalid);
}

TEST(ListenAddress, is_a_host_and_a_port) {
  const struct {
    const char *text, *host;
    int port;
  } cases[] = {{":8080", "", 8080},
               {"0.0.0.0:1", "0.0.0.0", 1},
               {"localhost:65535", "localhost", 65535},
               {"[::1]:80", "::1", 80},
               {"[::]:0", "::", 0}};
  for (const auto& c : cases) {
    const auto address = ParseListenAddress(c.text);
    ASSERT_TRUE(address) << c.text;
    EXPECT_EQ(address->host, c.host) << c.text;
    EXPECT_EQ(address->port, c.port) << c.text;
  }
  for (const char* bad : {"", "8080", ":", "x:", ":65536", ":-1", ":80x", "::1:80", "[::1]",
                          "[]:80", "[x]:80", "[::1:80", "a]:80"}) {
    const auto address = ParseListenAddress(bad);
    ASSERT_FALSE(address) << bad;
    EXPECT_THAT(address.error().message, HasSubstr("expected HOST:PORT")) << bad;
  }
}

TEST(StatusRequest, has_a_path_and_the_first_of_equal_keys) {
  const auto request = ParseTarget("/a%20b/c?x=1&x=2&&y&z=&%41=%3d=");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, "/a%20b/c");
  EXPECT_THAT(request->query,
              ElementsAre(Pair("A", "=="), Pair("x", "1"), Pair("y", ""), Pair("z", "")));
  for (const char* bad : {"", "x", "http://h/", "*", "/?%", "/?%4", "/?a=%4g", "/?%+1", "/?a=% 1"})
    EXPECT_FALSE(ParseTarget(bad)) << bad;
}

TEST(StatusRequest, has_a_token_only_of_the_bearer_scheme) {
  EXPECT_EQ(BearerOf("Bearer abc.d"), "abc.d");
  EXPECT_EQ(BearerOf("bEARER   abc"), "abc");
  for (const char* none : {"", "Bearer", "Bearer ", "Basic abc", "Bearerabc", "abc"})
    EXPECT_EQ(BearerOf(none), "") << none;
}

TEST(StatusRequest, knows_the_names_of_this_machine) {
  for (const char* own :
       {"", "localhost", "localhost:6060", "127.0.0.1", "127.8.9.1:1", "[::1]", "[::1]:6060"})
    EXPECT_TRUE(NamesThisMachine(own)) << own;
  for (const char* other : {"example.com", "127.example.com", "localhost.example.com", "10.0.0.1",
                            "[::2]", "[::1]x", "0.0.0.0"})
    EXPECT_FALSE(NamesThisMachine(other)) << other;
}

}  // namespace
}  // namespace batholith
