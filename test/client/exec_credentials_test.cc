// Credentials from a program: what it is told, what it prints, when it runs again.
#include "client/exec_credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "client/child_process.h"
#include "client/credentials.h"
#include "client/http.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;

constexpr char kVersion[] = "client.authentication.k8s.io/v1";

std::string CredentialText(const std::string& status) {
  return std::string(R"({"apiVersion":")") + kVersion + R"(","kind":"ExecCredential","status":)" +
         status + "}";
}

// A shell script as the plugin.
ClusterAccess WithPlugin(const TestFolder& folder, const std::string& script) {
  ClusterAccess access;
  access.exec.emplace();
  access.exec->api_version = kVersion;
  access.exec->command = "sh";
  access.exec->arguments = {folder.Write("plugin", script)};
  return access;
}

TEST(ExecCredentials, the_plugin_is_told_the_cluster_and_its_own_environment) {
  const TestFolder folder;
  ClusterAccess access =
      WithPlugin(folder, "printf '%s' \"$KUBERNETES_EXEC_INFO $EXTRA\" >" + folder.Path("told") +
                             "; echo '" + CredentialText(R"({"token":"t"})") + "'\n");
  access.server = "https://s";
  access.ca_pem = "pem";
  access.exec->provide_cluster_info = true;
  access.exec->environment["EXTRA"] = "more";
  const Result<ExecCredential> credential = RunExecPlugin(access, {});
  ASSERT_TRUE(credential) << credential.error().message;
  EXPECT_EQ(credential->token, "t");
  EXPECT_FALSE(credential->expires);
  std::ifstream told(folder.Path("told"));
  std::string line;
  std::getline(told, line);
  EXPECT_EQ(line, R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",)"
                  R"("spec":{"interactive":false,"cluster":{"server":"https://s",)"
                  R"("certificate-authority-data":"cGVt"}}} more)");
}

TEST(ExecCredentials, a_plugin_that_fails_is_named_with_what_it_said_and_the_hint) {
  const TestFolder folder;
  ClusterAccess access = WithPlugin(folder, "echo 'log in first' >&2; exit 3\n");
  access.exec->install_hint = "see the manual";
  EXPECT_EQ(RunExecPlugin(access, {}).error().message,
            "credentials: sh ended with 3: log in first\nsee the manual");
  access.exec->command = "no-such-program";
  EXPECT_THAT(RunExecPlugin(access, {}).error().message,
              HasSubstr("no-such-program: No such file or directory"));
}

TEST(ExecCredentials, what_is_no_credential_is_refused_and_not_shown) {
  const std::vector<std::pair<std::string, std::string>> texts{
      {"secret", "no JSON"},
      {"{}", "kind: must be ExecCredential"},
      {R"({"kind":"ExecCredential","apiVersion":"v0"})",
       "apiVersion: must be " + std::string(kVersion)},
      {CredentialText("{}"), "status: has no token and no clientCertificateData"},
      {CredentialText(R"({"clientKeyData":"k"})"), "belong together"},
      {CredentialText(R"({"token":"t","expirationTimestamp":"soon"})"), "is no time"},
  };
  for (const auto& [text, message] : texts) {
    const Result<ExecCredential> credential = ParseExecCredential(text, kVersion);
    ASSERT_FALSE(credential) << text;
    EXPECT_THAT(credential.error().message, HasSubstr(message));
    EXPECT_THAT(credential.error().message, ::testing::Not(HasSubstr("secret")));
  }
}

TEST(ExecCredentials, a_child_that_hangs_is_killed_at_its_time_and_at_a_stop) {
  const std::vector<std::string> sleep{"sleep", "1000"};
  EXPECT_EQ(RunChild(sleep, {}, std::chrono::milliseconds(20), {}).error().message,
            "sleep: did not end in time");
  std::stop_source stop;
  auto result = std::async(std::launch::async, [&] {
    return RunChild(sleep, {}, std::chrono::seconds(1000), stop.get_token());
  });
  stop.request_stop();
  EXPECT_EQ(result.get().error().message, "sleep: was stopped");
}

TEST(ExecCredentials, a_child_that_says_too_much_is_killed) {
  EXPECT_EQ(RunChild({"yes"}, {}, kPatience, {}).error().message, "yes: says more than 1 MB");
}

// Each run of the plugin hands out another token: t1, t2, ...
ClusterAccess Counting(const TestFolder& folder, const std::string& url) {
  const std::string runs = folder.Path("runs");
  ClusterAccess access =
      WithPlugin(folder, "echo x >>" + runs + "\nn=$(grep -c x " + runs + ")\ncat <<END\n" +
                             CredentialText(R"({"token":"t$n"})") + "\nEND\n");
  access.server = url;
  return access;
}

TEST(ExecCredentials, are_kept_until_a_401_and_then_fetched_once_for_all_who_wait) {
  const TestFolder folder;
  ScriptedServer server([](const ScriptedRequest& request) {
    const bool is_old = request.headers.at("authorization") == "Bearer t1";
    return Answer(is_old && request.path() == "/late" ? 401 : 200, "{}");
  });
  HttpClient client(Counting(folder, server.url()), {});
  Record done;
  HttpRequest request;
  request.path = "/early";
  for (int i = 0; i < 5; ++i)
    client.Send(request, [&](const HttpResult& reply) { done.Add(std::to_string(reply->status)); });
  ASSERT_TRUE(done.WaitUntil([](const auto& lines) { return lines.size() == 5; }));
  for (const ScriptedRequest& one : server.requests())
    EXPECT_EQ(one.headers.at("authorization"), "Bearer t1");
  request.path = "/late";
  const HttpResult reply = client.SendAndWait(request);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(server.requests().back().headers.at("authorization"), "Bearer t2");
}

TEST(ExecCredentials, a_plugin_that_fails_fails_the_request_unsent) {
  const TestFolder folder;
  ClusterAccess access = WithPlugin(folder, "exit 1\n");
  access.server = DeadUrl();
  HttpClient client(access, {});
  HttpRequest request;
  request.path = "/";
  const HttpResult reply = client.SendAndWait(request);
  ASSERT_FALSE(reply);
  EXPECT_FALSE(reply.error().sent);
  EXPECT_THAT(reply.error().message, HasSubstr("credentials: sh ended with 1"));
}

TEST(ExecCredentials, a_client_goes_away_while_its_plugin_hangs) {
  const TestFolder folder;
  ClusterAccess access = WithPlugin(folder, "exec sleep 1000\n");
  access.server = DeadUrl();
  HttpClient client(access, {});
  HttpRequest request;
  request.path = "/";
  client.Send(request, [](const HttpResult&) { ADD_FAILURE(); });
  Record turn;
  client.Post([&] { turn.Add("turn"); });
  ASSERT_TRUE(turn.WaitForLine("turn"));
}

// At 100 s a token that expires at 130 s; it is fetched again from 120 s on.
TEST(ExecCredentials, are_fetched_again_shortly_before_they_expire) {
  using std::chrono::seconds;
  const Credentials::TimePoint start(seconds(100));
  const TestFolder folder;
  const ClusterAccess access = WithPlugin(folder, "");
  Credentials credentials(access);
  EXPECT_EQ(*credentials.Current(start), nullptr);
  credentials.Store({.token = "t", .cert_pem = "", .key_pem = "", .expires = start + seconds(30)},
                    start);
  EXPECT_EQ((*credentials.Current(start + seconds(19)))->authorization, "Bearer t");
  EXPECT_EQ(*credentials.Current(start + seconds(20)), nullptr);
  credentials.Store({.token = "old", .cert_pem = "", .key_pem = "", .expires = start}, start);
  EXPECT_NE(*credentials.Current(start), nullptr);
  EXPECT_EQ(*credentials.Current(start + seconds(1)), nullptr);
}

}  // namespace
}  // namespace batholith
