// The program is told to end in states in which something hangs: it ends within ten seconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/commands.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"
#include "test/client/witness.h"
#include "test/cmd/program.h"
#include "test/cmd/status_client.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;

std::string PluginUser(const std::string& script) {
  return "{exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, args: ['" + script +
         "']}}";
}

// A scheduler gets to lead, and waits for everything else.
Actions GivesALeaseAndNothingElse(const ScriptedRequest& request) {
  if (!request.path().contains("/leases")) return {WaitFor("never")};
  if (request.method == "GET") return Answer(404, "{}");
  if (request.method == "POST") return Answer(201, request.body);
  return {WaitFor("never")};
}

void ExpectDone(Program& program, const std::string& what) {
  const int status = program.WaitForEnd();
  ASSERT_NE(status, -1) << what << ": still there after ten seconds\n" << program.said();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == kDone) << what << ": " << status << "\n"
                                                                 << program.said();
  EXPECT_THAT(program.said(), HasSubstr("ended")) << what;
}

TEST(Ending, of_the_scheduler_while_its_server_takes_connections_and_says_nothing) {
  for (const char* scheme : {"http", "https"}) {  // with https the handshake hangs
    const TestFolder folder;
    SilentServer server;
    const std::string url = scheme + ("://127.0.0.1:" + std::to_string(server.port()));
    Program program({"scheduler", "--kubeconfig", Kubeconfig(folder, url)});
    ASSERT_TRUE(server.WaitForBytes()) << program.said();
    program.Signal(SIGTERM);
    ExpectDone(program, scheme);
  }
}

TEST(Ending, of_the_scheduler_while_answers_begin_and_do_not_end) {
  const TestFolder folder;
  Record asked;
  ScriptedServer server([&](const ScriptedRequest& request) -> Actions {
    asked.Add(request.path());
    return {Head(200), Chunk("{\"items\":["), WaitFor("never")};
  });
  Program program({"scheduler", "--kubeconfig", Kubeconfig(folder, server.url())});
  ASSERT_TRUE(asked.WaitForLine("/api/v1/pods")) << program.said();
  program.Signal(SIGINT);
  ExpectDone(program, "lists that do not end");
}

// It leads; the write that hands the lease back is never answered.
TEST(Ending, of_a_leader_whose_server_answers_no_more) {
  const TestFolder folder;
  ScriptedServer server(GivesALeaseAndNothingElse);
  Program program({"scheduler", "--kubeconfig", Kubeconfig(folder, server.url())});
  ASSERT_TRUE(program.WaitFor("this replica leads")) << program.said();
  program.Signal(SIGTERM);
  ExpectDone(program, "the lease");
}

TEST(Ending, of_the_scheduler_while_its_plugin_does_what_it_likes) {
  for (const Stubborn& one : kStubborn) {
    const TestFolder folder;
    const Witness witness(folder.Path("witness"));
    const std::string script = folder.Write("plugin", witness.Opened() + one.script + "\n");
    Program program(
        {"scheduler", "--kubeconfig", Kubeconfig(folder, DeadUrl(), PluginUser(script))});
    ASSERT_TRUE(witness.WaitForByte()) << one.name << program.said();
    program.Signal(SIGTERM);
    ExpectDone(program, one.name);
    EXPECT_TRUE(witness.WaitForEnd()) << one.name << ": something of it is left";
  }
}

TEST(Ending, of_the_scheduler_while_a_dump_is_asked_for) {
  const TestFolder folder;
  const int port = SilentServer().port();  // free again
  SilentServer server;
  Program program({"scheduler", "--kubeconfig",
                   Kubeconfig(folder, "http://127.0.0.1:" + std::to_string(server.port())),
                   "--debug-address", "127.0.0.1:" + std::to_string(port)});
  ASSERT_TRUE(server.WaitForBytes()) << program.said();  // it listens before that
  StatusClient client(port);
  client.Send("GET /debug/snapshot HTTP/1.1\r\nHost: x\r\n\r\n");
  program.Signal(SIGTERM);
  const int status = program.WaitForEnd();
  EXPECT_TRUE(WIFEXITED(status)) << status << program.said();
}

// The conf becomes a pipe to which nobody writes; whoever opened it to read would wait.
TEST(Ending, of_the_scheduler_after_its_conf_became_a_pipe) {
  const TestFolder folder;
  SilentServer server;
  const std::string conf = folder.Write("conf", "actions: \"allocate\"\n");
  Program program({"scheduler", "--scheduler-conf", conf, "--kubeconfig",
                   Kubeconfig(folder, "http://127.0.0.1:" + std::to_string(server.port()))});
  ASSERT_TRUE(server.WaitForBytes()) << program.said();
  ASSERT_EQ(mkfifo(folder.Path("pipe").c_str(), 0600), 0);
  std::filesystem::rename(folder.Path("pipe"), conf);
  ASSERT_TRUE(program.WaitFor("conf is bad")) << program.said();
  program.Signal(SIGTERM);
  ExpectDone(program, "a conf that is a pipe");
}

TEST(Ending, comes_at_once_with_the_second_signal) {
  const TestFolder folder;
  ScriptedServer server(GivesALeaseAndNothingElse);
  Program program({"scheduler", "--kubeconfig", Kubeconfig(folder, server.url())});
  ASSERT_TRUE(program.WaitFor("this replica leads")) << program.said();
  program.Signal(SIGTERM);
  ASSERT_TRUE(program.WaitFor(" ending signal=\"15\"")) << program.said();
  program.Signal(SIGINT);
  const int status = program.WaitForEnd();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status << program.said();
}

// Nobody reads standard error, and it is full: the first line of the log is never written.
TEST(Ending, of_the_scheduler_does_not_need_anybody_to_read_its_log) {
  const TestFolder folder;
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  const std::string page(4096, '.');
  while (write(ends[1], page.data(), page.size()) > 0) {
  }
  ASSERT_EQ(fcntl(ends[1], F_SETFL, 0), 0);  // the program is to block where it writes
  SilentServer server;
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
  Program program({"scheduler", "--kubeconfig", Kubeconfig(folder, url)}, ends[1]);
  // It opens the kubeconfig first and writes then.
  program.Signal(SIGTERM);
  EXPECT_NE(program.WaitForEnd(), -1);
  close(ends[0]);
  close(ends[1]);
}

TEST(Ending, of_a_command_ends_its_plugin_too) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    for (const Stubborn& one : kStubborn) {
      const TestFolder folder;
      const Witness witness(folder.Path("witness"));
      const std::string script = folder.Write("plugin", witness.Opened() + one.script + "\n");
      Program program(
          {"queue", "list", "--kubeconfig", Kubeconfig(folder, DeadUrl(), PluginUser(script))});
      ASSERT_TRUE(witness.WaitForByte()) << one.name << program.said();
      program.Signal(signal);
      const int status = program.WaitForEnd();
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << one.name << program.said();
      EXPECT_TRUE(witness.WaitForEnd()) << one.name << ": something of it is left";
    }
  }
}

TEST(Ending, of_a_command_at_its_time_ends_its_plugin_too) {
  for (const Stubborn& one : {kStubborn[1], kStubborn[2], kStubborn[5]}) {
    const TestFolder folder;
    const Witness witness(folder.Path("witness"));
    const std::string script = folder.Write("plugin", witness.Opened() + one.script + "\n");
    Program program({"queue", "list", "--request-timeout", "2s", "--kubeconfig",
                     Kubeconfig(folder, DeadUrl(), PluginUser(script))});
    const int status = program.WaitForEnd();
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == kNoWorld) << one.name << program.said();
    EXPECT_THAT(program.said(), HasSubstr("no answer within 2 s")) << one.name;
    EXPECT_TRUE(witness.WaitForEnd()) << one.name << ": something of it is left";
  }
}

}  // namespace
}  // namespace batholith
