// What the program does on a terminal and nowhere else: colours, JSON in lines, how far it is.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test/cmd/command_env.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

// What the program writes on a terminal: all, or until it has written that.
std::string Shown(std::vector<std::string> arguments, const char* no_color = nullptr,
                  const std::string& until = "") {
  arguments.insert(arguments.begin(), BATHOLITH_PROGRAM);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == 0) {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    if (no_color != nullptr) setenv("NO_COLOR", no_color, 1);
    execv(pointers.front(), pointers.data());
    _exit(127);
  }
  std::string out;
  std::array<char, 4096> buffer{};
  // The end of a terminal's other side is an error here.
  for (ssize_t n = 0; (n = read(terminal, buffer.data(), buffer.size())) > 0;) {
    out.append(buffer.data(), static_cast<std::size_t>(n));
    if (!until.empty() && out.contains(until)) kill(pid, SIGKILL);
  }
  close(terminal);
  int status = 0;
  waitpid(pid, &status, 0);
  const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  EXPECT_TRUE(done || !until.empty()) << out;
  return out;
}

std::string Cluster(const CommandFolder& folder) {
  return folder.Write("m.yaml", R"(
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4, pods: 10}}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: a, name: p}
spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 1}}}]}
)");
}

TEST(Terminal, has_colours_unless_it_wants_none) {
  const CommandFolder folder;
  const std::vector<std::string> simulate{"simulate", "-f", Cluster(folder)};
  EXPECT_THAT(Shown(simulate), HasSubstr("\x1b[1mQUEUES\x1b[0m"));
  EXPECT_THAT(Shown(simulate, "1"), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Shown(simulate, ""), HasSubstr("\x1b[1m")) << "an empty NO_COLOR says nothing";
}

TEST(Terminal, has_json_in_lines) {
  const CommandFolder folder;
  const std::string dump = folder.Write("dump", "");
  EXPECT_THAT(Shown({"simulate", "-f", Cluster(folder), "-o=json", "--dump", dump}),
              HasSubstr("{\r\n    \"cycles\": 3,\r\n    \"bindings\": [\r\n        {\r\n"));
  EXPECT_THAT(Shown({"replay", "-o=json", dump}),
              HasSubstr("{\r\n    \"cycle\": 1,\r\n    \"equal\": true,\r\n"));
  const std::string scenario = folder.Write(
      "s.yaml", "{apiVersion: batholith.dev/v1, kind: Scenario, metadata: {name: one}, spec: {}}");
  EXPECT_THAT(Shown({"verify", "-o=json", scenario}),
              HasSubstr("\",\r\n    \"name\": \"one\",\r\n    \"passed\": true,\r\n"));
}

// Of more sessions than anybody waits for.
TEST(Terminal, is_told_how_far_a_long_simulation_is) {
  const CommandFolder folder;
  const std::string said =
      Shown({"simulate", "-f", Cluster(folder), "--cycles", "999999", "--load",
             "every=1s,jobs=1,tasks=2,cpu=1,lifetime=2s", "--max-pods", "100000"},
            nullptr, " bound, 0 evicted\r\x1b[Ksession ");
  EXPECT_THAT(said, HasSubstr("\r\x1b[Ksession "));
  EXPECT_THAT(said, HasSubstr(" bound, 0 evicted\r\x1b[Ksession ")) << "written anew";
}

// Writes a text into a pipe of that path again and again, until nobody reads it any more.
class EndlessFile {
 public:
  EndlessFile(std::string path, std::string text)
      : path_(std::move(path)), text_(std::move(text)), writer_([this] { Write(); }) {}
  EndlessFile(const EndlessFile&) = delete;
  EndlessFile& operator=(const EndlessFile&) = delete;
  ~EndlessFile() {
    // Whoever still waits for a reader has one that goes at once.
    close(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    writer_.join();
  }

 private:
  void Write() const {
    const int fd = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    while (write(fd, text_.data(), text_.size()) > 0) {
    }
    close(fd);
  }

  const std::string path_;
  const std::string text_;
  std::thread writer_;
};

// Of a dump that has no end.
TEST(Terminal, is_told_how_far_a_long_replay_is) {
  const CommandFolder folder;
  const std::string dump = folder.Write("dump", "");
  Shown({"simulate", "-f", Cluster(folder), "--cycles=1", "--dump", dump});
  std::stringstream line;
  line << std::ifstream(dump).rdbuf();
  const std::string pipe = dump + ".pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  signal(SIGPIPE, SIG_IGN);
  const EndlessFile file(pipe, line.str());
  const std::string said = Shown({"replay", pipe}, nullptr, " as recorded, 0 different; ");
  EXPECT_THAT(said, MatchesRegex("\r\x1b\\[K[0-9]+ sessions: [0-9]+ as recorded, 0 different; .*"));
}

}  // namespace
}  // namespace batholith
