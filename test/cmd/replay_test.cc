#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cmd/commands.h"
#include "cmd/decisions_diff.h"

namespace batholith {
namespace {

constexpr const char* kReplayCluster = R"(
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 10}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: 8, pods: 10}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ns},
 spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 3}}}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: big, namespace: ns},
 spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 99}}}]}}
)";

class ReplayCommandTest : public ::testing::Test {
 protected:
  ReplayCommandTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ("replay_" +
                 std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::create_directories(folder_);
    Write("cluster.yaml", kReplayCluster);
  }
  ~ReplayCommandTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name)).rdbuf();
    return text.str();
  }

  // Exit status; what was said is in `out_` and `complaint_`.
  int Call(int (*command)(const std::vector<std::string>&),
           const std::vector<std::string>& arguments) {
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int status = command(arguments);
    out_ = ::testing::internal::GetCapturedStdout();
    complaint_ = ::testing::internal::GetCapturedStderr();
    return status;
  }
  int Dump(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"-f", Path("cluster.yaml"), "--dump", Path("dump")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Call(SimulateCommand, arguments);
  }

  std::filesystem::path folder_;
  std::string out_;
  std::string complaint_;
};

TEST_F(ReplayCommandTest, an_unchanged_dump_is_decided_as_recorded) {
  ASSERT_EQ(Dump(), kDone) << complaint_;
  ASSERT_EQ(Call(ReplayCommand, {Path("dump"), "--all"}), kDone) << complaint_ << out_;
  EXPECT_TRUE(out_.contains("SESSION 1 of 2026-01-01T00:00:00Z: as recorded\n")) << out_;
  EXPECT_TRUE(out_.contains("SESSION 2 of 2026-01-01T00:00:01Z: as recorded\n")) << out_;
  EXPECT_TRUE(out_.contains("ns/podgroup-ns-big")) << out_;
}

TEST_F(ReplayCommandTest, of_sessions_that_are_as_recorded_the_last_is_shown_with_a_summary) {
  ASSERT_EQ(Dump(), kDone) << complaint_;
  ASSERT_EQ(Call(ReplayCommand, {Path("dump")}), kDone) << complaint_ << out_;
  EXPECT_FALSE(out_.contains("SESSION 1 ")) << out_;
  EXPECT_FALSE(out_.contains("SESSION 2 ")) << out_;
  EXPECT_TRUE(out_.starts_with("SESSION 3 of 2026-01-01T00:00:02Z: as recorded\n")) << out_;
  EXPECT_TRUE(out_.ends_with("\n3 sessions: 3 as recorded, 0 different; 1 bound, 0 evicted\n"))
      << out_;
}

TEST_F(ReplayCommandTest, figures_without_sessions_stay_figures) {
  ASSERT_EQ(Dump({"--cycles", "0"}), kDone) << complaint_;
  ASSERT_EQ(Call(ReplayCommand, {Path("dump"), "-o", "json"}), kDone) << complaint_ << out_;
  const boost::json::value line = boost::json::parse(out_);
  EXPECT_TRUE(line.at("equal").as_bool());
  EXPECT_TRUE(line.at("decisions").at("bindings").as_array().empty());
}

// binpack would leave n2, which is the emptier one, free: 3 of 4 cores are more than 3 of 8.
TEST_F(ReplayCommandTest, another_conf_is_told_by_what_it_changes) {
  Write("spread.yaml",
        "actions: \"enqueue, allocate\"\ntiers: [{plugins: [{name: predicates}, "
        "{name: nodeorder}]}]\n");
  Write("binpack.yaml",
        "actions: \"enqueue, allocate\"\ntiers: [{plugins: [{name: predicates}, "
        "{name: binpack}]}]\n");
  ASSERT_EQ(Dump({"--scheduler-conf", Path("spread.yaml"), "--cycles", "1"}), kDone) << complaint_;
  const std::vector<std::string> other{Path("dump"), "--scheduler-conf", Path("binpack.yaml")};
  EXPECT_EQ(Call(ReplayCommand, other), kAnswerIsNo) << complaint_;
  EXPECT_TRUE(out_.contains("\nDIFFERENCES\n  bindings[ns/a].node: recorded \"n2\", now \"n1\"\n"))
      << out_;
  EXPECT_EQ(Call(ReplayCommand, {other[0], other[1], other[2], "-o", "json"}), kAnswerIsNo);
  const boost::json::value line = boost::json::parse(out_);
  EXPECT_FALSE(line.at("equal").as_bool());
  EXPECT_EQ(boost::json::serialize(line.at("differences").at(0)),
            R"({"where":"bindings[ns/a].node","recorded":"n2","now":"n1"})");
}

TEST_F(ReplayCommandTest, a_dump_without_decisions_has_nothing_to_differ_from) {
  ASSERT_EQ(Dump({"--cycles", "1"}), kDone) << complaint_;
  boost::json::value line = boost::json::parse(Read("dump"));
  line.as_object().erase("decisions");
  Write("dump", boost::json::serialize(line));
  EXPECT_EQ(Call(ReplayCommand, {Path("dump")}), kDone) << complaint_;
  EXPECT_TRUE(out_.contains(": nothing was recorded\n")) << out_;
  EXPECT_EQ(Call(ReplayCommand, {Path("dump"), "-o", "json"}), kDone) << complaint_;
  EXPECT_TRUE(boost::json::parse(out_).at("equal").is_null());
}

TEST_F(ReplayCommandTest, bad_input_is_named) {
  ASSERT_EQ(Dump({"--cycles", "1"}), kDone) << complaint_;
  const std::string good = Read("dump");
  const auto complaint = [&](const std::string& text) {
    Write("dump", text);
    EXPECT_EQ(Call(ReplayCommand, {Path("dump")}), kBadInput) << out_;
    return complaint_;
  };
  const std::string where = "batholith replay: " + Path("dump") + ": line ";
  EXPECT_TRUE(complaint(good + good.substr(0, 500)).starts_with(where + "2: column 501: ends too"));
  EXPECT_EQ(complaint(""), "batholith replay: " + Path("dump") + ": there is no session in it\n");
  boost::json::value line = boost::json::parse(good);
  line.at("conf") = "actions: \"allocat\"";
  EXPECT_EQ(complaint(boost::json::serialize(line)),
            where + "1: conf:1: action \"allocat\" is unknown; did you mean \"allocate\"?\n");
  Write("dump", good);
  EXPECT_EQ(Call(ReplayCommand, {Path("dump"), "--scheduler-conf", Path("none")}), kBadInput);
  EXPECT_EQ(Call(ReplayCommand, {Path("none")}), kBadInput);
  EXPECT_EQ(Call(ReplayCommand, {folder_}), kBadInput);
  EXPECT_EQ(Call(ReplayCommand, {Path("dump"), Path("dump")}), kBadInput);
  EXPECT_EQ(Call(ReplayCommand, {Path("dump"), "-o", "yaml"}), kBadInput);
}

TEST(DecisionsDiff, elements_are_matched_by_what_they_are_about) {
  struct Row {
    const char* recorded;
    const char* now;
    std::vector<std::string> where;
  };
  const std::vector<Row> rows{
      {R"({"a":1})", R"({"a":1})", {}},
      {R"({"a":1,"b":2})", R"({"b":3,"c":4})", {"a", "b", "c"}},
      {R"({"jobs":[{"name":"x","n":1},{"name":"y"}]})",
       R"({"jobs":[{"name":"x","n":2},{"name":"z"}]})",
       {"jobs[x].n", "jobs[y]", "jobs[z]"}},
      {R"({"jobs":[{"name":"x"},{"name":"y"},{"name":"z"}]})",
       R"({"jobs":[{"name":"x"},{"name":"z"},{"name":"y"}]})",
       {"jobs: place 2"}},
      {R"({"namespaces":[{"queue":"q","name":"a"},{"queue":"r","name":"a"}]})",
       R"({"namespaces":[{"queue":"q","name":"a"}]})",
       {"namespaces[r a]"}},
      {R"({"x":[{"pod":"p"},{"pod":"p"}]})", R"({"x":[{"pod":"p"}]})", {"x"}},
      {R"({"x":[1,2]})", R"({"x":{"a":1}})", {"x"}},
  };
  for (const Row& row : rows) {
    std::vector<std::string> where;
    for (const Difference& d :
         DiffOf(boost::json::parse(row.recorded), boost::json::parse(row.now)))
      where.push_back(d.where);
    EXPECT_EQ(where, row.where) << row.recorded;
  }
}

}  // namespace
}  // namespace batholith
