// The client against a server that does what each case wants, good or bad.
#include "client/http/http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;

HttpRequest Post(const std::string& path, const std::string& body) {
  HttpRequest request = Get(path);
  request.method = "POST";
  request.body = body;
  request.content_type = "application/json";
  return request;
}

TEST(Http, a_reply_has_status_type_and_body) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return Answer(201, "{\"got\":\"" + request.method + " " + request.body + "\"}");
  });
  HttpClient client(AccessTo(server.url()), {});
  const HttpResult reply = client.SendAndWait(Post("/api/v1/x?a=b", "hello"));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 201);
  EXPECT_EQ(reply->content_type, "application/json");
  EXPECT_EQ(reply->body, "{\"got\":\"POST hello\"}");
  EXPECT_EQ(server.requests()[0].target, "/api/v1/x?a=b");
  EXPECT_EQ(server.requests()[0].headers.at("content-type"), "application/json");
  EXPECT_EQ(server.requests()[0].headers.at("accept"), "application/json");
}

TEST(Http, who_asks_stands_in_headers) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(200, "{}"); });
  ClusterAccess access = AccessTo(server.url());
  access.token = "secret\r\nX-Smuggled: yes";
  access.as_user = "jane";
  access.as_uid = "7";
  access.as_groups = {"devs", "ops"};
  access.as_extra = {{"example.com/scope", {"view"}}};
  HttpClient client(access, {});
  ASSERT_TRUE(client.SendAndWait(Get("/")));
  auto headers = server.requests()[0].headers;
  EXPECT_EQ(headers["authorization"], "Bearer secretX-Smuggled: yes");
  EXPECT_EQ(headers["impersonate-user"], "jane");
  EXPECT_EQ(headers["impersonate-uid"], "7");
  EXPECT_EQ(headers["impersonate-group"], "devs,ops");
  EXPECT_EQ(headers["impersonate-extra-example.com%2fscope"], "view");
  EXPECT_FALSE(headers.contains("x-smuggled"));
  EXPECT_EQ(headers["user-agent"], "batholith");
}

TEST(Http, a_password_is_basic_authentication) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(200, "{}"); });
  ClusterAccess access = AccessTo(server.url());
  access.username = "admin";
  access.password = "geheim";
  HttpClient client(access, {});
  ASSERT_TRUE(client.SendAndWait(Get("/")));
  EXPECT_EQ(server.requests()[0].headers["authorization"], "Basic YWRtaW46Z2VoZWlt");
}

TEST(Http, refused_connections_sent_nothing) {
  HttpClient client(AccessTo(DeadUrl()), {});
  const HttpResult reply = client.SendAndWait(Post("/api/v1/pods?limit=1", "{}"));
  ASSERT_FALSE(reply);
  EXPECT_FALSE(reply.error().sent);
  EXPECT_THAT(reply.error().message, HasSubstr("POST http://127.0.0.1:"));
  EXPECT_THAT(reply.error().message, HasSubstr("/api/v1/pods: "));
}

// A connection that breaks at each stage of an answer: the server may have done what it was told.
TEST(Http, broken_answers_were_sent) {
  const std::map<std::string, Actions> stages{
      {"before", {Reset()}},
      {"closed", {Close()}},
      {"garbage", {Raw("garbage\n\n"), Close()}},
      {"head", {Raw("HTTP/1.1 200 OK\r\nContent-Le"), Reset()}},
      {"body", {Raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), Close()}},
      {"chunk", {Head(200), Raw("10\r\nhalf"), Close()}},
      {"no last chunk", {Head(200), Chunk("all"), Close()}},
  };
  for (const auto& [name, actions] : stages) {
    ScriptedServer server([&](const ScriptedRequest&) { return actions; });
    HttpClient client(AccessTo(server.url()), {});
    const HttpResult reply = client.SendAndWait(Post("/", "{}"));
    ASSERT_FALSE(reply) << name << ": " << reply->body;
    EXPECT_TRUE(reply.error().sent) << name;
    EXPECT_EQ(server.requests().size(), 1U) << name;
  }
}

// libcurl would send it again by itself, and nobody would know that it was done twice.
TEST(Http, a_write_on_a_kept_connection_that_breaks_is_not_sent_twice) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.path() == "/first" ? Answer(200, "{}") : Actions{Reset()};
  });
  HttpClient client(AccessTo(server.url()), {});
  ASSERT_TRUE(client.SendAndWait(Get("/first")));
  const HttpResult reply = client.SendAndWait(Post("/bind", "{}"));
  ASSERT_FALSE(reply);
  EXPECT_TRUE(reply.error().sent);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(Http, a_request_without_an_answer_ends_at_its_deadline) {
  ScriptedServer server([](const ScriptedRequest&) { return Actions{WaitFor("never")}; });
  HttpClient client(AccessTo(server.url()), {});
  HttpRequest request = Get("/slow");
  request.timeout = std::chrono::milliseconds(50);
  const HttpResult reply = client.SendAndWait(request);
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("no answer within 50 ms"));
}

TEST(Http, retry_after_is_told) {
  ScriptedServer server(
      [](const ScriptedRequest&) { return Answer(429, "{}", "Retry-After: 7\r\n"); });
  HttpClient client(AccessTo(server.url()), {});
  const HttpResult reply = client.SendAndWait(Get("/"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->retry_after, std::chrono::seconds(7));
}

TEST(Http, a_rotated_token_file_counts_for_the_next_request) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(200, "{}"); });
  const TestFolder folder;
  ClusterAccess access = AccessTo(server.url());
  access.token_file = folder.Write("token", "first\n");
  HttpClient client(access, {});
  ASSERT_TRUE(client.SendAndWait(Get("/")));
  folder.Write("token", "the second\n");
  ASSERT_TRUE(client.SendAndWait(Get("/")));
  std::filesystem::remove(access.token_file);
  ASSERT_TRUE(client.SendAndWait(Get("/")));
  EXPECT_EQ(server.requests()[0].headers["authorization"], "Bearer first");
  EXPECT_EQ(server.requests()[1].headers["authorization"], "Bearer the second");
  EXPECT_EQ(server.requests()[2].headers["authorization"], "Bearer the second");
}

TEST(Http, a_token_file_that_never_was_there_fails_without_sending) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(200, "{}"); });
  ClusterAccess access = AccessTo(server.url());
  access.token_file = "/does/not/exist";
  HttpClient client(access, {});
  const HttpResult reply = client.SendAndWait(Get("/"));
  ASSERT_FALSE(reply);
  EXPECT_FALSE(reply.error().sent);
  EXPECT_THAT(reply.error().message, HasSubstr("/does/not/exist"));
  EXPECT_TRUE(server.requests().empty());
}

// The file changes between the request and its refusal: only the 401 shows that it did.
TEST(Http, a_401_has_the_token_read_again_and_the_request_sent_once_more) {
  const TestFolder folder;
  ClusterAccess access;
  access.token_file = folder.Write("token", "old");
  ScriptedServer server([&](const ScriptedRequest& request) {
    folder.Write("token", "newer");
    return request.headers.at("authorization") == "Bearer old" ? Answer(401, "{}")
                                                               : Answer(200, request.body);
  });
  access.server = server.url();
  HttpClient client(access, {});
  const HttpResult reply = client.SendAndWait(Post("/", "body"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->body, "body");
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(Http, a_401_that_nothing_can_mend_is_the_reply) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(401, "\"who\""); });
  const TestFolder folder;
  ClusterAccess access = AccessTo(server.url());
  access.token_file = folder.Write("token", "bad");
  HttpClient client(access, {});
  const HttpResult reply = client.SendAndWait(Get("/"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 401);
  EXPECT_EQ(reply->body, "\"who\"");
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(Http, a_proxy_gets_the_whole_address) {
  ScriptedServer proxy([](const ScriptedRequest&) { return Answer(200, "{}"); });
  ClusterAccess access = AccessTo("http://cluster.invalid:8080/prefix");
  access.proxy_url = proxy.url();
  HttpClient client(access, {});
  ASSERT_TRUE(client.SendAndWait(Get("/api")));
  EXPECT_EQ(proxy.requests()[0].target, "http://cluster.invalid:8080/prefix/api");
}

// base64 of jo:p/w is am86cC93.
TEST(Http, a_proxy_is_told_its_password_and_nobody_else) {
  ScriptedServer proxy([](const ScriptedRequest&) { return Answer(200, "{}"); });
  ClusterAccess access = AccessTo("http://cluster.invalid:8080");
  access.proxy_url = "http://jo:p%2Fw@" + proxy.url().substr(7);
  {
    HttpClient client(access, {});
    ASSERT_TRUE(client.SendAndWait(Get("/api")));
    EXPECT_EQ(proxy.requests()[0].headers.at("proxy-authorization"), "Basic am86cC93");
  }
  access.proxy_url = "http://jo:p%2Fw@" + DeadUrl().substr(7);
  HttpClient client(access, {});
  const HttpResult reply = client.SendAndWait(Get("/api"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message.find("p%2Fw"), std::string::npos) << reply.error().message;
  EXPECT_EQ(reply.error().message.find("jo"), std::string::npos) << reply.error().message;
}

TEST(Http, a_bad_proxy_of_the_environment_is_named_without_its_password) {
  for (const char* proxy : {"http://jo:hunter2@p:99999", "jo:hunter2@p:bad", "x://jo:hunter2@p"}) {
    setenv("http_proxy", proxy, 1);
    HttpClient client(AccessTo("http://cluster.invalid:8080"), {});
    const HttpResult reply = client.SendAndWait(Get("/api"));
    unsetenv("http_proxy");
    ASSERT_FALSE(reply) << proxy;
    EXPECT_EQ(reply.error().message.find("hunter2"), std::string::npos) << reply.error().message;
  }
}

// "{}" as gzip -n writes it.
TEST(Http, compression_is_asked_for_only_where_it_is_wanted) {
  const std::string zipped(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00",
      22);
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (!request.headers.contains("accept-encoding")) return Answer(200, "plain");
    return Answer(200, zipped, "Content-Encoding: gzip\r\n");
  });
  for (const bool compress : {false, true}) {
    HttpOptions options;
    options.compress = compress;
    HttpClient client(AccessTo(server.url()), options);
    const HttpResult reply = client.SendAndWait(Get("/"));
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->body, compress ? "{}" : "plain");
  }
}

TEST(Http, requests_wait_for_the_rate_limit_and_leases_do_not) {
  ScriptedServer server([](const ScriptedRequest&) { return Answer(200, "{}"); });
  // One at once, then one each 100 s: the second limited one does not go out in this test.
  HttpClient client(AccessTo(server.url()), {.qps = 0.01, .burst = 1});
  ASSERT_TRUE(client.SendAndWait(Get("/limited")));
  client.Send(Get("/waits"), [](const HttpResult&) { ADD_FAILURE(); });
  HttpRequest lease = Get("/lease");
  lease.limited = false;
  ASSERT_TRUE(client.SendAndWait(lease));
  EXPECT_EQ(server.requests().size(), 2U);
}

}  // namespace
}  // namespace batholith
