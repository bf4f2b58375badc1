// Credentials from a program: what it is told, what it prints, when it runs again.
#include "client/access/exec_credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <future>

#include "client/access/child_process.h"
#include "client/access/credentials.h"
#include "client/http/http.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"
#include "test/client/witness.h"

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
      {CredentialText(R"({"token":"t","expirationTimestamp":"soon"})"), "is not a time"},
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

// Side by side, since each takes its whole time.
TEST(ExecCredentials, whatever_a_child_does_it_ends_at_its_time_with_all_of_its_group) {
  std::vector<std::future<void>> all;
  for (const Stubborn& one : kStubborn) {
    all.push_back(std::async(std::launch::async, [&one] {
      const TestFolder folder;
      const Witness witness(folder.Path("witness"));
      const std::string script = folder.Write("script", witness.Opened() + one.script + "\n");
      const auto result = RunChild({"sh", script}, {}, std::chrono::seconds(2), {});
      EXPECT_EQ(result ? "ended" : result.error().message, "sh: did not end in time") << one.name;
      EXPECT_TRUE(witness.WaitForEnd()) << one.name << ": something of it is left";
    }));
  }
  for (std::future<void>& one : all) one.get();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
}

TEST(ExecCredentials, whatever_a_child_does_it_ends_at_a_stop) {
  for (const Stubborn& one : kStubborn) {
    const TestFolder folder;
    const Witness witness(folder.Path("witness"));
    const std::string script = folder.Write("script", witness.Opened() + one.script + "\n");
    std::stop_source stop;
    auto result = std::async(std::launch::async, [&] {
      return RunChild({"sh", script}, {}, std::chrono::hours(1), stop.get_token());
    });
    ASSERT_TRUE(witness.WaitForByte()) << one.name;
    stop.request_stop();
    EXPECT_TRUE(witness.WaitForEnd()) << one.name << ": something of it is left";
    EXPECT_EQ(result.get().error().message, "sh: was stopped") << one.name;
  }
}

// What holds the pipes is none of the child's business any more; it stays, and is ended here.
TEST(ExecCredentials, a_child_that_ended_is_not_waited_for_because_of_what_it_left) {
  const TestFolder folder;
  const Witness witness(folder.Path("witness"));
  const std::string script = folder.Write(
      "script", witness.Opened() + "sleep 1000 & echo $! >" + folder.Path("pid") + "\necho said\n");
  const auto result = RunChild({"sh", script}, {}, std::chrono::hours(1), {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->out, "said\n");
  pid_t left = 0;
  std::ifstream(folder.Path("pid")) >> left;
  ASSERT_GT(left, 0);
  EXPECT_EQ(kill(left, SIGKILL), 0);
  EXPECT_TRUE(witness.WaitForEnd());
}

// 1 MB less a little comes through whole though the child has ended before it is read.
TEST(ExecCredentials, what_a_child_said_before_it_ended_is_read) {
  const auto result =
      RunChild({"sh", "-c", "head -c 1000000 /dev/zero; head -c 60000 /dev/zero >&2; exit 7"}, {},
               kPatience, {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->out.size(), 1'000'000U);
  EXPECT_EQ(result->err.size(), 60'000U);
  EXPECT_EQ(result->exit_status, 7);
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

TEST(ExecCredentials, a_client_goes_away_whatever_its_plugin_does) {
  for (const Stubborn& one : kStubborn) {
    const TestFolder folder;
    const Witness witness(folder.Path("witness"));
    ClusterAccess access = WithPlugin(folder, witness.Opened() + one.script + "\n");
    access.server = DeadUrl();
    {
      HttpClient client(access, {});
      HttpRequest request;
      request.path = "/";
      client.Send(request, [](const HttpResult&) { ADD_FAILURE(); });
      ASSERT_TRUE(witness.WaitForByte()) << one.name;
    }
    EXPECT_TRUE(witness.WaitForEnd()) << one.name;
  }
}

TEST(ExecCredentials, a_process_that_ends_kills_its_plugin_before_it_goes) {
  const TestFolder folder;
  const Witness witness(folder.Path("witness"));
  ClusterAccess access = WithPlugin(folder, witness.Opened() + "echo x >&9; sleep 1000\n");
  access.server = DeadUrl();
  std::stop_source end_of_process;
  HttpOptions options;
  options.stop_plugin = end_of_process.get_token();
  HttpClient client(access, options);
  HttpRequest request;
  request.path = "/";
  auto reply = std::async(std::launch::async, [&] { return client.SendAndWait(request); });
  ASSERT_TRUE(witness.WaitForByte());
  end_of_process.request_stop();
  EXPECT_TRUE(witness.WaitForEnd());
  EXPECT_THAT(reply.get().error().message, HasSubstr("sh: was stopped"));
}

// The time of a request counts while it waits for the plugin.
TEST(ExecCredentials, a_request_does_not_wait_longer_than_its_time) {
  const TestFolder folder;
  ClusterAccess access = WithPlugin(folder, "trap '' TERM; exec >&- 2>&-; sleep 1000\n");
  access.server = DeadUrl();
  HttpClient client(access, {});
  HttpRequest request;
  request.path = "/";
  request.timeout = std::chrono::milliseconds(50);
  const HttpResult reply = client.SendAndWait(request);
  ASSERT_FALSE(reply);
  EXPECT_FALSE(reply.error().sent);
  EXPECT_THAT(reply.error().message, HasSubstr("no answer within 50 ms"));
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
