#include "cmd/session_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "client/http/http.h"
#include "cmd/scheduler_loop.h"
#include "cmd/scheduler_status.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(SessionHealth, what_a_session_throws_is_told_until_one_ends_well) {
  SessionHealth health;
  std::vector<std::string> told;
  const auto note = [&](const SessionHealth::Trouble& t) {
    told.push_back(std::to_string(t.sessions) + (t.is_new ? " new " : " old ") + t.why +
                   (t.lasts() ? ", lasts" : ""));
  };
  const auto fail = [&](const std::string& why) {
    health.Try([&] { throw std::runtime_error(why); }, note);
  };
  fail("a");
  fail("a");
  fail("b");
  EXPECT_THAT(told, ElementsAre("1 new a", "2 old a", "3 new b, lasts"));
  const SessionHealth::Trouble trouble = health.trouble();
  EXPECT_EQ(trouble.Text(trouble.since + std::chrono::seconds(7)),
            "3 sessions in a row failed, since 7 s: b");
  health.Try([] {}, note);
  EXPECT_EQ(health.trouble().sessions, 0U);
  health.Try([] { throw std::bad_alloc(); }, note);
  EXPECT_EQ(told.back(), "1 new std::bad_alloc");
}

class Orders final : public OrderSink {
 public:
  void Send(SessionOrders orders) override {
    for (const BindOrder& order : orders.binds) binds.push_back(order.bind.pod);
  }
  std::vector<std::string> binds;
};

// Three sessions run out of memory, the fourth does not.
class FailingLoop : public ::testing::Test {
 protected:
  FailingLoop() : client_(Nowhere(), {}), source_(client_, inbox_, state_, {}), conf_("") {
    EXPECT_TRUE(conf_.Load(true));
    NodeRecord node;
    node.meta.name = "n1";
    node.allocatable = {{"cpu", 1000}, {"pods", 10}};
    inbox_.Push(ObjectPut{node});
    PodGroupRecord group;
    group.meta.name = "g";
    group.meta.namespace_ = "a";
    inbox_.Push(ObjectPut{group});
    PodRecord pod;
    pod.meta.name = "p";
    pod.meta.namespace_ = "a";
    pod.scheduler_name = "volcano";
    pod.group = "g";
    pod.request = {{"cpu", 1000}};
    pod.constraints = std::make_shared<PodConstraints>();
    inbox_.Push(ObjectPut{pod});
  }

  static ClusterAccess Nowhere() {
    ClusterAccess access;
    access.server = "http://127.0.0.1:1";
    return access;
  }

  StatusPorts Ports(SchedulerLoop& loop) {
    return {&loop, &source_, &metrics_, &left_out_, client_.missing_rules(), [] { return true; }};
  }
  StatusReply Explain(SchedulerLoop& loop) {
    StatusRequest request;
    request.path = "/debug/explain";
    request.query["pod"] = "a/p";
    StatusReply got;
    AnswerDebug(request, Ports(loop), [&](StatusReply reply) { got = std::move(reply); });
    return got;
  }
  std::string Ready(SchedulerLoop& loop) {
    StatusRequest request;
    request.path = "/readyz";
    return AnswerHealth(request, Ports(loop)).text;
  }

  HttpClient client_;
  EventInbox inbox_;
  ServerState state_;
  KubeSource source_;
  ConfReload conf_;
  Metrics metrics_;
  LeftOutNotice left_out_{metrics_};
  Orders orders_;
};

TEST_F(FailingLoop, explain_and_readyz_say_why_nothing_is_decided_and_the_next_session_goes_on) {
  std::atomic<bool> stop = false;
  int sessions = 0;
  std::vector<std::string> ready;
  std::vector<StatusReply> explained;
  SchedulerLoop* seen = nullptr;
  LoopOptions options;
  options.period = std::chrono::milliseconds(1);
  options.may_schedule = [] { return true; };
  options.decide = [&](const Snapshot& snapshot, const Pipeline& pipeline,
                       const CycleOptions& cycle) {
    if (++sessions <= 3) throw std::bad_alloc();
    return RunCycle(snapshot, pipeline, cycle);
  };
  options.on_failure = [&](const SessionHealth::Trouble&) {
    EXPECT_THAT(orders_.binds, IsEmpty());
    ready.push_back(Ready(*seen));
    explained.push_back(Explain(*seen));
  };
  options.on_session = [&](const SessionFigures&) { stop = !orders_.binds.empty(); };
  SchedulerLoop loop(options, conf_, inbox_, orders_);
  seen = &loop;
  loop.Run(stop);
  ASSERT_EQ(explained.size(), 3U);
  for (const StatusReply& reply : explained) {
    EXPECT_EQ(reply.status, 503);
    EXPECT_THAT(reply.text, HasSubstr("nothing can be told of a/p: "));
    EXPECT_THAT(reply.text, HasSubstr("std::bad_alloc"));
  }
  EXPECT_THAT(ready[0], HasSubstr("[!]1 session in a row failed, since "));
  EXPECT_THAT(ready[2], HasSubstr("[-]3 sessions in a row failed, since "));
  EXPECT_THAT(orders_.binds, ElementsAre("a/p"));
  EXPECT_THAT(Ready(loop), Not(HasSubstr("in a row failed")));
  EXPECT_THAT(Explain(loop).text, HasSubstr("a/p: bound to n1 by allocate"));
}

}  // namespace
}  // namespace batholith
