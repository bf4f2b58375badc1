// Files that were found to hang or to confuse a reader, through the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cmd/commands.h"
#include "test/cmd/command_env.h"
#include "test/cost.h"
#include "test/source_dir.h"

namespace batholith {
namespace {

using Subcommand = int (*)(const std::vector<std::string>&);

std::vector<std::string> HostileFiles() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SourceDir()) + "/test/hostile"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// Refused with the file and a line of it.
void ExpectRefused(Subcommand command, const std::vector<std::string>& arguments,
                   const std::string& file) {
  const Cost cost = ExpectBounded(file, 0, [&] {
    const CommandResult result = RunCommand(command, arguments);
    return (result.status == kBadInput ? "refused: " : "not refused: ") + result.err;
  });
  EXPECT_TRUE(cost.said.starts_with("refused: ")) << file << ": " << cost.said;
  const std::size_t behind = cost.said.find(file + ":");
  ASSERT_NE(behind, std::string::npos) << cost.said;
  const std::string place = cost.said.substr(behind + file.size(), 4);
  EXPECT_TRUE(place == ": li" || (place[1] >= '1' && place[1] <= '9')) << file << ": " << cost.said;
}

TEST(HostileFiles, are_refused_wherever_a_file_is_read) {
  const CommandFolder folder;
  const std::string node = folder.Write("node.yaml",
                                        "{apiVersion: v1, kind: Node, metadata: {name: n}, status: "
                                        "{allocatable: {cpu: 1, pods: 1}}}");
  ASSERT_GE(HostileFiles().size(), 15U);
  for (const std::string& file : HostileFiles()) {
    ExpectRefused(SimulateCommand, {"-f", file}, file);
    ExpectRefused(SimulateCommand, {"-f", node, "--scheduler-conf", file}, file);
    ExpectRefused(VerifyCommand, {file}, file);
    ExpectRefused(ReplayCommand, {file}, file);
  }
}

TEST(HostileFiles, an_endless_device_ends) {
  const CommandFolder folder;
  const std::string node =
      folder.Write("node.yaml", "{apiVersion: v1, kind: Node, metadata: {name: n}}");
  ExpectRefused(SimulateCommand, {"-f", "/dev/zero"}, "/dev/zero");
  ExpectRefused(SimulateCommand, {"-f", node, "--scheduler-conf", "/dev/zero"}, "/dev/zero");
}

// Everything has its time and uid, so that the order of the files says nothing.
TEST(Output, is_the_same_for_any_order_of_the_input) {
  std::vector<std::string> objects;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    const std::string meta = "name: x" + std::to_string((i * 5) % 8) +
                             ", creationTimestamp: '2026-01-0" + std::to_string(i / 2 + 1) +
                             "T00:00:00Z'";
    objects.push_back("{apiVersion: v1, kind: Node, metadata: {uid: n" + n + ", " + meta +
                      "}, status: {allocatable: {cpu: 2, pods: 9}}}");
    objects.push_back("{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {uid: q" +
                      n + ", " + meta + "}, spec: {weight: 1}}");
    objects.push_back(
        "{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {uid: g" + n +
        ", namespace: ns" + std::to_string(i % 2) + ", " + meta +
        "}, spec: {minMember: 1, queue: x" + n + "}}");
    objects.push_back(
        "{apiVersion: v1, kind: Pod, metadata: {uid: p" + n + ", namespace: ns" +
        std::to_string(i % 2) + ", " + meta + ", annotations: {scheduling.k8s.io/group-name: x" +
        std::to_string((i * 5) % 8) +
        "}}, spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: "
        "{cpu: " +
        std::to_string(i % 4 + 1) + "}}}]}}");
    objects.push_back("{apiVersion: v1, kind: Namespace, metadata: {uid: s" + n + ", " + meta +
                      "}}");
    objects.push_back("{apiVersion: v1, kind: ResourceQuota, metadata: {uid: r" + n +
                      ", namespace: ns0, " + meta + "}, spec: {hard: {cpu: 99}}}");
  }
  const CommandFolder folder;
  std::string first;
  for (std::size_t turn = 0; turn < 5; ++turn) {
    std::string text;
    for (const std::string& object : objects) text += "---\n" + object + "\n";
    const std::string file = folder.Write("m.yaml", text);
    const CommandResult result = RunCommand(SimulateCommand, {"-f", file, "-o", "json"});
    EXPECT_EQ(result.status, kDone) << result.err;
    if (turn == 0) first = result.out;
    EXPECT_EQ(result.out, first);
    std::ranges::rotate(objects, objects.begin() + 7);
    if (turn % 2 == 0) std::ranges::reverse(objects);
  }
}

}  // namespace
}  // namespace batholith
