// /debug/snapshot: one session at a time, copied by the loop and written down elsewhere.
#include "cmd/dump_taker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cmd/scheduler_loop.h"
#include "cmd/session_dump.h"
#include "cmd/snapshot_page.h"
#include "codec/decode.h"
#include "codec/yaml.h"
#include "scheduler/compile_conf.h"

namespace batholith {
namespace {

using Taken = Result<std::shared_ptr<TakenSession>>;

SessionDump Something() {
  SessionDump dump;
  dump.objects = std::make_shared<const ClusterObjects>();
  return dump;
}
std::string Refusal(const Taken& taken) { return taken ? "none" : taken.error().message; }

TEST(DumpTaker, hands_over_what_was_kept_with_its_result) {
  DumpTaker taker;
  EXPECT_FALSE(taker.is_asked());
  std::optional<Taken> got;
  taker.Ask([&](Taken taken) { got = std::move(taken); });
  EXPECT_TRUE(taker.is_asked());
  taker.Keep(Something());
  const auto result = std::make_shared<const CycleResult>();
  taker.Hand(result);
  ASSERT_TRUE(got && *got);
  EXPECT_EQ((**got)->result, result);
  EXPECT_FALSE(taker.is_asked());
}

// From the asking to the last of the one who has it.
TEST(DumpTaker, has_one_at_a_time) {
  DumpTaker taker;
  std::optional<Taken> first;
  std::optional<Taken> second;
  taker.Ask([&](Taken taken) { first = std::move(taken); });
  taker.Ask([&](Taken taken) { second = std::move(taken); });
  ASSERT_TRUE(second);
  EXPECT_EQ(Refusal(*second), "another snapshot is under way; ask again later");
  EXPECT_EQ(second->error().code, ErrorCode::kConflict);
  taker.Keep(Something());
  taker.Hand(std::make_shared<const CycleResult>());
  second.reset();
  taker.Ask([&](Taken taken) { second = std::move(taken); });
  ASSERT_TRUE(second);
  EXPECT_EQ(second->error().code, ErrorCode::kConflict);
  first.reset();
  second.reset();
  taker.Ask([&](Taken taken) { second = std::move(taken); });
  EXPECT_FALSE(second);
  EXPECT_TRUE(taker.is_asked());
}

// It was asked for after the session had begun to change the records.
TEST(DumpTaker, does_not_hand_over_a_session_that_was_not_kept) {
  DumpTaker taker;
  std::optional<Taken> got;
  taker.Ask([&](Taken taken) { got = std::move(taken); });
  taker.Hand(std::make_shared<const CycleResult>());
  EXPECT_FALSE(got);
  EXPECT_TRUE(taker.is_asked());
}

TEST(DumpTaker, refuses_who_waits_and_when_closed_who_comes) {
  DumpTaker taker;
  taker.Refuse("nobody waits");
  std::optional<Taken> got;
  taker.Ask([&](Taken taken) { got = std::move(taken); });
  taker.Refuse("no session");
  ASSERT_TRUE(got);
  EXPECT_EQ(Refusal(*got), "no session");
  got.reset();
  taker.Close("the end");
  taker.Ask([&](Taken taken) { got = std::move(taken); });
  ASSERT_TRUE(got);
  EXPECT_EQ(Refusal(*got), "the end");
}

struct CountingSink final : OrderSink {
  void Send(SessionOrders orders) override { binds += static_cast<int>(orders.binds.size()); }
  std::atomic<int> binds = 0;
};

// A loop on a thread of its own; one node and two pods, of which one has room.
class LoopTest : public ::testing::Test {
 protected:
  LoopTest() : conf_("") {
    EXPECT_TRUE(conf_.Load(true));
    LoopOptions options;
    options.snapshot = {{"volcano"}, "default", 0};
    options.period = std::chrono::hours(1);
    options.may_schedule = [this] { return may_.load(); };
    loop_ = std::make_unique<SchedulerLoop>(std::move(options), conf_, inbox_, sink_);
  }
  ~LoopTest() override { End(); }

  void Begin() {
    thread_ = std::thread([this] { loop_->Run(stop_); });
  }
  void End() {
    stop_ = true;
    inbox_.Wake();
    if (thread_.joinable()) thread_.join();
  }
  Taken Ask() {
    auto taken = std::make_shared<std::promise<Taken>>();
    loop_->AskForDump([taken](Taken session) { taken->set_value(std::move(session)); });
    return taken->get_future().get();
  }
  void Put(const std::string& manifests) {
    ManifestDecoder decoder({});
    const auto documents = ParseDocuments(manifests, "m");
    ASSERT_TRUE(documents);
    for (const auto& document : *documents) decoder.Add(document, "m");
    Loaded loaded = std::move(decoder).Finish();
    for (auto& node : loaded.objects.nodes) inbox_.Push(ObjectPut{std::move(node)});
    for (auto& group : loaded.objects.pod_groups) inbox_.Push(ObjectPut{std::move(group)});
    for (auto& pod : loaded.objects.pods) inbox_.Push(ObjectPut{std::move(pod)});
  }

  ConfReload conf_;
  EventInbox inbox_;
  CountingSink sink_;
  std::atomic<bool> stop_ = false, may_ = true;
  std::unique_ptr<SchedulerLoop> loop_;
  std::thread thread_;
};

constexpr const char* kDumpCluster = R"(
{apiVersion: v1, kind: Node, metadata: {name: n, uid: n}, status: {allocatable: {cpu: 4, pods: 10}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ns, uid: a},
 spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 3}}}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: b, namespace: ns, uid: b},
 spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 3}}}]}}
)";

// Though the period is an hour, and however long what was taken is kept. The session that is taken
// is written down after the next one has changed the records: replay finds it as it was.
TEST_F(LoopTest, a_session_that_is_asked_for_comes_at_once_and_stays_as_it_was) {
  Put(kDumpCluster);
  Begin();
  Taken taken = Ask();
  ASSERT_TRUE(taken) << taken.error().message;
  Put("{apiVersion: v1, kind: Node, metadata: {name: n, uid: n}, status: {allocatable: {cpu: "
      "99}}}");
  EXPECT_EQ(Refusal(Ask()), "another snapshot is under way; ask again later");
  End();
  std::string text;
  SnapshotText snapshot(*std::move(taken));
  for (std::string part = snapshot.Next(100); !part.empty(); part = snapshot.Next(100))
    text += part;
  std::istringstream in(text);
  DumpReader reader(in, "d");
  const auto read = reader.Next();
  ASSERT_TRUE(read && *read) << read.error().message;
  const auto conf = CompileConf((*read)->conf, "c");
  ASSERT_TRUE(conf);
  const auto replayed = Replay(**read, *conf->pipeline);
  ASSERT_TRUE(replayed);
  EXPECT_TRUE(replayed->differences.empty());
  EXPECT_EQ((*read)->objects->pods.size(), 2U);
  EXPECT_TRUE((*read)->decisions.at("pods").is_array());
}

TEST_F(LoopTest, where_there_are_no_sessions_who_asks_is_told_at_once) {
  may_ = false;
  Begin();
  EXPECT_EQ(Refusal(Ask()), "this replica does not schedule now");
  End();
  EXPECT_EQ(Refusal(Ask()), "the scheduler is ending");
}

}  // namespace
}  // namespace batholith
