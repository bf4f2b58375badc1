// Several replicas and one Lease, on a server that keeps it as an API server does.
#include "client/write/leader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Clock = Leader::Clock;

// Keeps one Lease: GET, POST and PUT, with versions.
class LeaseStore {
 public:
  LeaseStore() : server_([this](const ScriptedRequest& r) { return Handle(r); }) {}

  std::string url() const { return server_.url(); }
  // By whom requests are refused with 500, from now on; empty: by nobody.
  void Break(const std::string& identity) {
    const std::lock_guard lock(mutex_);
    broken_ = identity;
  }
  // The next renewal of this replica is done and never answered.
  void Swallow(const std::string& identity) {
    const std::lock_guard lock(mutex_);
    swallowed_ = identity;
  }
  // The next renewal of this replica is done, and answered once the gate `go` is open.
  void Hold(const std::string& identity) {
    const std::lock_guard lock(mutex_);
    held_ = identity;
  }
  void Set(const std::string& spec) {
    const std::lock_guard lock(mutex_);
    Keep({{"metadata", json::object{{"name", "l"}}}, {"spec", json::parse(spec)}});
  }
  void Delete() {
    const std::lock_guard lock(mutex_);
    lease_.clear();
  }
  json::object spec() const {
    const std::lock_guard lock(mutex_);
    return lease_.at("spec").as_object();
  }
  // When the lease was written last, and "create a", "renew b", "release a" …
  Clock::time_point written_at() const {
    const std::lock_guard lock(mutex_);
    return written_at_;
  }
  const Record& writes() const { return writes_; }
  void Open(const std::string& gate) { server_.Open(gate); }

 private:
  static Actions Says(int status) { return Answer(status, R"({"kind":"Status"})"); }

  void Keep(json::object lease) {
    lease_ = std::move(lease);
    lease_["metadata"].as_object()["resourceVersion"] = std::to_string(++version_);
    written_at_ = Clock::now();
  }

  Actions Handle(const ScriptedRequest& r) {
    const std::lock_guard lock(mutex_);
    if (r.method == "GET") return lease_.empty() ? Says(404) : Answer(200, json::serialize(lease_));
    json::object body = json::parse(r.body).as_object();
    const std::string who(body.at("spec").at("holderIdentity").as_string());
    if (!broken_.empty() && who == broken_) return Says(500);
    if (r.method == "POST") {
      if (!lease_.empty()) return Says(409);
      writes_.Add("create " + who);
    } else {
      if (lease_.empty()) return Says(404);
      const json::value* version = body.at("metadata").as_object().if_contains("resourceVersion");
      if (version == nullptr || *version != lease_["metadata"].at("resourceVersion")) {
        writes_.Add("conflict " + who);
        return Says(409);
      }
      const bool same = lease_["spec"].is_object() && TextOf(lease_["spec"]) == who;
      writes_.Add((who.empty() ? "release" : same ? "renew " : "take ") + who);
    }
    Keep(std::move(body));
    if (!swallowed_.empty() && who == swallowed_) {
      swallowed_.clear();
      return {Reset()};
    }
    if (!held_.empty() && who == held_) {
      held_.clear();
      writes_.Add("held " + who);
      return {WaitFor("go"), Answer(200, json::serialize(lease_)).front()};
    }
    return Answer(200, json::serialize(lease_));
  }
  static std::string TextOf(const json::value& spec) {
    const json::value* holder = spec.as_object().if_contains("holderIdentity");
    return holder != nullptr && holder->is_string() ? std::string(holder->as_string()) : "";
  }

  mutable std::mutex mutex_;
  json::object lease_;
  int version_ = 10;
  Clock::time_point written_at_;
  std::string broken_, swallowed_, held_;
  Record writes_;
  ScriptedServer server_;
};

constexpr milliseconds kLong{8000};   // of a lease that nobody waits for
constexpr milliseconds kShort{1500};  // of one that somebody does; it counts as two seconds
constexpr milliseconds kShortEnds{2000};

// A replica; what it tells as lines, "leads" and "follows".
class Replica {
 public:
  Replica(const LeaseStore& store, const std::string& identity, milliseconds lease = kLong)
      : client_(std::make_unique<HttpClient>(AccessTo(store.url()), HttpOptions())),
        leader_(*client_, {"ns", "l", identity, lease, lease * 3 / 4, milliseconds(20)},
                [this](bool leads) {
                  began_or_ended_ = Clock::now();
                  told_.Add(leads ? "leads" : "follows");
                }) {
    leader_.Start();
  }
  ~Replica() { client_.reset(); }

  bool Waits(const std::string& line) const { return told_.WaitForLine(line); }
  std::string Holder() {
    Record holder;
    client_->Post([&] { holder.Add(leader_.holder()); });
    EXPECT_TRUE(holder.WaitUntil([](const auto& lines) { return !lines.empty(); }));
    return holder.lines()[0];
  }
  void Release() {
    leader_.Release([this] { told_.Add("released"); });
    EXPECT_TRUE(Waits("released"));
  }

  Record told_;
  std::atomic<Clock::time_point> began_or_ended_{Clock::time_point()};
  std::unique_ptr<HttpClient> client_;
  Leader leader_;
};

bool HasRenewed(const LeaseStore& store, const std::string& who, std::ptrdiff_t times) {
  return store.writes().WaitUntil(
      [&](const auto& lines) { return std::ranges::count(lines, "renew " + who) >= times; });
}

TEST(Leader, one_of_two_leads_and_renews) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  Replica b(store, "b");
  ASSERT_TRUE(HasRenewed(store, "a", 30));
  EXPECT_TRUE(a.leader_.Leads());
  EXPECT_FALSE(b.leader_.Leads());
  EXPECT_EQ(b.Holder(), "a");
  EXPECT_THAT(a.told_.lines(), ElementsAre("leads"));
  EXPECT_TRUE(b.told_.lines().empty());
  const json::object spec = store.spec();
  EXPECT_EQ(spec.at("leaseDurationSeconds"), 8);
  EXPECT_EQ(spec.at("leaseTransitions"), 0);
  EXPECT_TRUE(spec.contains("acquireTime") && spec.contains("renewTime"));
}

TEST(Leader, of_many_that_start_at_once_one_leads) {
  LeaseStore store;
  std::vector<std::unique_ptr<Replica>> all;
  for (int i = 0; i < 6; ++i)
    all.push_back(std::make_unique<Replica>(store, fmt::format("r{}", i)));
  ASSERT_TRUE(store.writes().WaitUntil([](const auto& lines) { return lines.size() >= 20; }));
  const auto leads = [](const auto& r) { return r->leader_.Leads(); };
  EXPECT_EQ(std::ranges::count_if(all, leads), 1);
  const std::vector<std::string> writes = store.writes().lines();
  EXPECT_EQ(std::ranges::count_if(writes, [](const auto& w) { return w.starts_with("create"); }),
            1);
}

TEST(Leader, another_takes_over_after_the_lease_and_never_before) {
  LeaseStore store;
  auto a = std::make_unique<Replica>(store, "a", kShort);
  ASSERT_TRUE(a->Waits("leads"));
  Replica b(store, "b", kShort);
  ASSERT_TRUE(HasRenewed(store, "a", 3));
  a.reset();  // without a word
  const Clock::time_point last = store.written_at();
  ASSERT_TRUE(b.Waits("leads"));
  EXPECT_GE(b.began_or_ended_.load() - last, kShortEnds);
  EXPECT_EQ(store.spec().at("leaseTransitions"), 1);
}

TEST(Leader, one_whose_renewals_fail_stops_before_the_lease_runs_out) {
  LeaseStore store;
  Replica a(store, "a", kShort);
  ASSERT_TRUE(a.Waits("leads"));
  Replica b(store, "b", kShort);
  ASSERT_TRUE(HasRenewed(store, "a", 3));
  store.Break("a");
  const Clock::time_point last = store.written_at();
  ASSERT_TRUE(a.Waits("follows"));
  EXPECT_FALSE(a.leader_.Leads());
  EXPECT_LT(a.began_or_ended_.load() - last, kShortEnds);
  ASSERT_TRUE(b.Waits("leads"));
  EXPECT_GT(b.began_or_ended_.load(), a.began_or_ended_.load());
  EXPECT_GE(b.began_or_ended_.load() - last, kShortEnds);
}

TEST(Leader, one_that_is_frozen_does_not_lead_when_it_wakes) {
  LeaseStore store;
  Replica a(store, "a", kShort);
  ASSERT_TRUE(a.Waits("leads"));
  Replica b(store, "b", kShort);
  ASSERT_TRUE(HasRenewed(store, "a", 3));
  Record wake;
  a.client_->Post([&] {
    EXPECT_TRUE(wake.WaitForLine("wake"));
    EXPECT_FALSE(a.leader_.Leads()) << "before it did anything";
  });
  ASSERT_TRUE(b.Waits("leads"));
  EXPECT_FALSE(a.leader_.Leads()) << "whoever asks while it is frozen";
  wake.Add("wake");
  ASSERT_TRUE(a.Waits("follows"));
  ASSERT_TRUE(HasRenewed(store, "b", 3));
  EXPECT_FALSE(a.leader_.Leads());
  EXPECT_TRUE(b.leader_.Leads());
}

TEST(Leader, a_release_hands_over_at_once) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  Replica b(store, "b");
  ASSERT_TRUE(HasRenewed(store, "a", 3));
  const Clock::time_point began = Clock::now();
  a.Release();
  EXPECT_FALSE(a.leader_.Leads());
  EXPECT_THAT(a.told_.lines(), ElementsAre("leads", "follows", "released"));
  ASSERT_TRUE(b.Waits("leads"));
  EXPECT_LT(b.began_or_ended_.load() - began, kLong) << "the lease's duration";
}

TEST(Leader, a_release_while_a_renewal_is_under_way_comes_after_it) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  store.Hold("a");
  ASSERT_TRUE(store.writes().WaitForLine("held a"));
  a.leader_.Release([&a] { a.told_.Add("released"); });
  ASSERT_TRUE(a.Waits("follows"));
  EXPECT_FALSE(a.leader_.Leads());
  store.Open("go");
  ASSERT_TRUE(a.Waits("released"));
  EXPECT_EQ(store.spec().at("holderIdentity"), "");
  EXPECT_FALSE(a.leader_.Leads()) << "the renewal's answer came after the end";
}

TEST(Leader, whoever_follows_releases_nothing) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  Replica b(store, "b");
  ASSERT_TRUE(HasRenewed(store, "a", 2));
  b.Release();
  EXPECT_EQ(store.spec().at("holderIdentity"), "a");
}

TEST(Leader, a_renewal_that_nobody_answered_costs_no_lead) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = store.writes().lines().size();
    store.Swallow("a");
    ASSERT_TRUE(store.writes().WaitUntil([&](const auto& lines) {
      return std::find(lines.begin() + static_cast<std::ptrdiff_t>(before), lines.end(),
                       "conflict a") != lines.end() &&
             lines.back() == "renew a";
    }));
  }
  EXPECT_TRUE(a.leader_.Leads());
  EXPECT_THAT(a.told_.lines(), ElementsAre("leads"));
}

TEST(Leader, a_strangers_edit_is_looked_at_and_the_lead_goes_on) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  store.Set(R"({"holderIdentity":"a","leaseDurationSeconds":1,"leaseTransitions":5})");
  ASSERT_TRUE(HasRenewed(store, "a", 5));
  EXPECT_THAT(a.told_.lines(), ElementsAre("leads"));
  EXPECT_EQ(store.spec().at("leaseTransitions"), 5);
}

TEST(Leader, one_whose_lease_another_wrote_stops) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  store.Set(R"({"holderIdentity":"x","leaseDurationSeconds":9})");
  ASSERT_TRUE(a.Waits("follows"));
  EXPECT_FALSE(a.leader_.Leads());
  EXPECT_EQ(a.Holder(), "x");
}

TEST(Leader, a_lease_that_was_deleted_is_made_again) {
  LeaseStore store;
  Replica a(store, "a");
  ASSERT_TRUE(a.Waits("leads"));
  store.Delete();
  ASSERT_TRUE(store.writes().WaitUntil(
      [](const auto& lines) { return std::ranges::count(lines, "create a") == 2; }));
  ASSERT_TRUE(HasRenewed(store, "a", 3));
  EXPECT_THAT(a.told_.lines(), ElementsAre("leads"));
}

TEST(Leader, a_lease_whose_spec_is_garbage_is_taken) {
  for (const char* spec :
       {"{}", "7", "null", "[]", R"({"holderIdentity":7})",
        R"({"holderIdentity":"","leaseDurationSeconds":"soon","leaseTransitions":"many"})"}) {
    SCOPED_TRACE(spec);
    LeaseStore store;
    store.Set(spec);
    Replica a(store, "a", kShort);
    ASSERT_TRUE(a.Waits("leads"));
    EXPECT_EQ(store.spec().at("holderIdentity"), "a");
  }
}

TEST(Leader, a_holder_with_a_duration_that_is_none_is_waited_for) {
  LeaseStore store;
  store.Set(R"({"holderIdentity":"x","leaseDurationSeconds":99999999999999999})");
  const Clock::time_point began = Clock::now();
  Replica a(store, "a", kShort);
  ASSERT_TRUE(a.Waits("leads"));
  EXPECT_GE(a.began_or_ended_.load() - began, kShortEnds) << "as long as our own";
}

}  // namespace
}  // namespace batholith
