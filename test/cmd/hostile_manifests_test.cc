// What a stranger hands to the command line: small texts that ask for much, and large ones. Each
// ends in a message that names object and field, within 256 MB, in a process of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "cmd/commands.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCountsMemory = false;  // most of it is the sanitizer's
#else
constexpr bool kCountsMemory = true;
#endif

struct HostileRow {
  std::string name;
  std::string text;
  std::string expected;  // part of what is said
  std::vector<std::string> flags = {};
};

long PeakKb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// Runs the command in a child; what it complains of, its status, and by how much its memory grew.
struct Outcome {
  std::string err;
  int status = -1;
  long grown_kb = 0;
};

Outcome RunApart(int (*command)(const std::vector<std::string>&),
                 const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe(ends) != 0) return {"no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    const long before = PeakKb();
    const CommandResult result = RunCommand(command, arguments);
    const std::string told =
        fmt::format("{} {} {}", result.status, PeakKb() - before, result.err.substr(0, 4000));
    const ssize_t written = write(ends[1], told.data(), told.size());
    _exit(written == static_cast<ssize_t>(told.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return {"the child died"};
  std::istringstream in(text);
  Outcome out;
  in >> out.status >> out.grown_kb;
  in.ignore(1);
  out.err.assign(std::istreambuf_iterator<char>(in), {});
  return out;
}

void CheckRow(const HostileRow& row, int (*command)(const std::vector<std::string>&),
              const std::vector<std::string>& arguments) {
  const Outcome outcome = RunApart(command, arguments);
  EXPECT_NE(outcome.err.find(row.expected), std::string::npos) << row.name << ": " << outcome.err;
  EXPECT_EQ(outcome.status, kBadInput) << row.name;
  if (kCountsMemory) {
    EXPECT_LT(outcome.grown_kb, 256 * 1024) << row.name;
  }
}

std::string Many(int n, const std::string& entry) {
  std::string out = entry;
  for (int i = 1; i < n; ++i) out += "," + entry;
  return out;
}

std::string Names(int n, const std::string& value) {
  std::string out;
  for (int i = 0; i < n; ++i) out += fmt::format("{}\"k{}\":{}", i == 0 ? "" : ",", i, value);
  return out;
}

std::string PodOf(const std::string& meta, const std::string& spec) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"ns")" + meta +
         R"(},"spec":{)" + spec + "}}";
}

std::string JobOf(const std::string& task) {
  return R"({"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","metadata":{"name":"j",)"
         R"("namespace":"ns"},"spec":{"tasks":[{"name":"w",)" +
         task + R"(,"template":{"spec":{"containers":[{}]}}}]}})";
}

TEST(HostileManifests, are_refused_by_object_and_field_within_256_megabytes) {
  const CommandFolder folder;
  const int many = 300'000;
  const std::string crowded = ": has 300000 entries, at most 20000 may be";
  const std::vector<HostileRow> rows{
      {"a job of a million", JobOf(R"("replicas":1000000)"),
       "document 1: Job ns/j: spec.tasks[0].replicas: 1000000 pods"},
      {"a job of two thousand million", JobOf(R"("replicas":2000000000)"),
       "spec.tasks[0].replicas: 2000000000 pods"},
      {"one more than --max-pods",
       JobOf(R"("replicas":11)"),
       "spec.tasks[0].replicas: 11 pods, with 0 that were made before; at most 10 are made",
       {"--max-pods", "10"}},
      {"labels", PodOf(",\"labels\":{" + Names(many, "\"\"") + "}", ""),
       "Pod ns/p: metadata.labels" + crowded},
      {"annotations", PodOf(",\"annotations\":{" + Names(many, "\"\"") + "}", ""),
       "Pod ns/p: metadata.annotations" + crowded},
      {"one long annotation",
       PodOf(",\"annotations\":{\"a\":\"" + std::string(30'000'000, 'x') + "\"}", ""),
       "Pod ns/p: metadata.annotations.a: makes the object 28.6 MB long, at most 4 MB may be"},
      {"containers", PodOf("", "\"containers\":[" + Many(many, "{}") + "]"),
       "Pod ns/p: spec.containers: has 300000 entries, at most 5000 may be"},
      {"tolerations", PodOf("", "\"tolerations\":[" + Many(many, R"({"operator":"Exists"})") + "]"),
       "Pod ns/p: spec.tolerations: has 300000 entries, at most 5000 may be"},
      {"a list of nothing", R"({"kind":"List","items":[)" + Many(1'000'000, "{}") + "]}",
       "behind 1000 refused objects the rest of the input was not looked at"},
      {"tiny documents",
       [] {
         std::string text;
         for (int i = 0; i < 1'000'000; ++i) text += "{}\n";
         return text;
       }(),
       "1000 object(s) refused"},
      {"a group of very many nodes",
       R"({"apiVersion":"batholith.dev/v1","kind":"NodeGroup","metadata":{"name":"g"},"spec":)"
       R"({"max":2000000000,"size":2000000000}})",
       "NodeGroup g: spec.size: 2000000000 nodes are too many: the groups of one input have 20000"},
      {"a long name", PodOf("", "").replace(52, 1, std::string(3'000'000, 'p')),
       "metadata.name: has 3000000 bytes, at most 253 may be"},
      {"a load of a million jobs",
       "",
       "--load: 100000 jobs of 1000 tasks come within 100000",
       {"--load", "every=1s,jobs=1000000,tasks=1000", "--cycles", "100000"}},
  };
  for (const HostileRow& row : rows) {
    const std::string node =
        R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":)"
        R"({"cpu":"4","pods":"10"}}})";
    std::vector<std::string> arguments{"-f",
                                       folder.Write("m.json", row.text.empty() ? node : row.text)};
    arguments.insert(arguments.end(), row.flags.begin(), row.flags.end());
    CheckRow(row, SimulateCommand, arguments);
  }
}

TEST(HostileManifests, scenarios_make_no_more_than_they_may) {
  const CommandFolder folder;
  const std::string jobs = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += fmt::format("{{name: j{}, tasks: 20000}}, ", i);
    return text;
  }();
  const std::string events = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i)
      text += fmt::format("{{cycle: 2, jobs: [{{name: j{}, tasks: 20000}}]}}, ", i);
    return text;
  }();
  const std::string running = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += fmt::format("n{}: 20000, ", i);
    return text;
  }();
  const std::vector<HostileRow> rows{
      {"tasks", "jobs: [{name: j, tasks: 1000000000}]",
       "spec.jobs[0].tasks: 1000000000 is out of range 0 to 20000"},
      {"replicate", "nodes: [{name: n}], replicate: {Node/n: 1000000000}",
       "spec.replicate.Node/n: 1000000000 is out of range 0 to 20000"},
      {"a large object many times",
       "nodes: [{name: n, labels: {a: " + std::string(1'000'000, 'x') +
           "}}], replicate: {Node/n: 20000}",
       "spec.replicate.Node/n: 20000 objects of 10"},
      {"labels of each task",
       "jobs: [{name: j, tasks: 20000, labels: {a: " + std::string(1'000'000, 'x') + "}}]",
       "spec.jobs[0].tasks: 20000 objects of 10"},
      {"many jobs", "jobs: [" + jobs + "]", "makes more than 50000 objects"},
      {"many events", "events: [" + events + "]", "makes more than 50000 objects"},
      {"many nodes that run", "jobs: [{name: j, tasks: 1, running: {" + running + "}}]",
       "spec.jobs[0].running: more than 20000 pods run"},
  };
  for (const HostileRow& row : rows) {
    const std::string file = folder.Write(
        "s.yaml", "apiVersion: batholith.dev/v1\nkind: Scenario\nmetadata: {name: a}\nspec: {" +
                      row.text + "}\n");
    CheckRow(row, VerifyCommand, {file});
  }
}

}  // namespace
}  // namespace batholith
