// What must hold of every session under every conf: random confs that mix all actions, plugins,
// switches and arguments, on random clusters that bring something for each of them. A failure names
// its seed: BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cache/live_cluster.h"
#include "cache/snapshot_builder.h"
#include "cmd/session_dump.h"
#include "codec/dump.h"
#include "framework/cycle.h"
#include "framework/last_decision.h"
#include "framework/session.h"
#include "scheduler/compile_conf.h"
#include "test/confs/conf_invariants.h"
#include "test/confs/irrelevant.h"
#include "test/confs/mixed_round.h"
#include "test/confs/same_result.h"
#include "test/property/invariants.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"
#include "test/property/random_events.h"

namespace batholith::property {
namespace {

// Calls `check` with the round of each seed; what fails shows the conf too.
template <typename Check>
void ForEachMixedRound(Check check) {
  ForEachSeed([&](std::uint64_t seed) {
    MixedRound round(seed);
    SCOPED_TRACE(round.conf_text());
    check(seed, round);
  });
}

// What happened in all rounds, so that a generator that leaves nothing to decide shows.
class Tally {
 public:
  void Count(const CycleResult& result) {
    for (const Bind& b : result.binds) ++counts_["binds by " + b.action];
    for (const Evict& e : result.evictions) ++counts_["evictions by " + e.action];
    for (const Pipelined& p : result.pipelined) ++counts_["reservations by " + p.action];
    counts_["waiting pods"] += std::ssize(result.pods);
    for (const PlaceholderSource& source : result.slack.sources)
      counts_["placeholders"] += std::ssize(source.nodes);
    counts_["orders"] += std::ssize(result.autoscale.orders);
    ++counts_["sessions"];
  }
  void Add(const std::string& what, std::int64_t n) { counts_[what] += n; }
  std::int64_t Of(const std::string& what) const {
    const auto it = counts_.find(what);
    return it == counts_.end() ? 0 : it->second;
  }
  void Print() const {
    for (const auto& [what, count] : counts_) std::cout << "  " << count << " " << what << "\n";
  }

 private:
  std::map<std::string, std::int64_t> counts_;
};

TEST(Confs, every_session_keeps_what_its_conf_promises) {
  constexpr int kSessions = 4;
  Tally tally;
  ForEachMixedRound([&](std::uint64_t, MixedRound& round) {
    tally.Add("confs", 1);
    tally.Add("refused confs", round.refused());
    const ConfTraits traits(round.conf());
    CycleOptions options;
    options.verify = true;
    std::string history;
    for (int session = 1; session <= kSessions; ++session) {
      const Moment moment = round.now();
      const CycleResult result = round.Decide(moment, options);
      tally.Count(result);
      history += fmt::format("\n  session {}:{}", session, Decisions(result));
      const std::vector<std::string> problems =
          CheckSession(*moment.objects, result, traits, moment.now);
      ASSERT_TRUE(problems.empty()) << fmt::format("{}{}", fmt::join(problems, "\n"), history);
      round.Apply(result);
    }
  });
  tally.Print();
  if (Rounds() < 500) return;
  const std::int64_t rounds = Rounds();
  EXPECT_LT(tally.Of("refused confs"), rounds / 8);
  EXPECT_GT(tally.Of("binds by allocate"), rounds);
  EXPECT_GT(tally.Of("waiting pods"), rounds);
  for (const char* often : {"binds by backfill", "evictions by preempt", "evictions by reclaim",
                            "reservations by preempt", "placeholders"})
    EXPECT_GT(tally.Of(often), rounds / 20) << often;
  // Three of a thousand rounds have some: fewer rounds may have none.
  if (rounds < 2000) return;
  for (const char* rare : {"evictions by shuffle", "evictions by revoke", "orders"})
    EXPECT_GT(tally.Of(rare), rounds / 200) << rare;
}

TEST(Confs, the_number_of_threads_does_not_show) {
  ForEachMixedRound([](std::uint64_t seed, MixedRound& round) {
    const Moment moment = round.Later(seed);
    CycleOptions options;
    options.trace = true;
    options.quota_pods = true;
    const CycleResult one = round.Decide(moment, options);
    for (const int threads : {2, 8}) {
      options.threads = threads;
      ASSERT_EQ(DifferenceOf(round.Decide(moment, options), one), "") << threads << " threads";
    }
  });
}

TEST(Confs, the_order_of_the_input_does_not_show) {
  ForEachMixedRound([](std::uint64_t seed, MixedRound& round) {
    Moment moment = round.Later(seed);
    const CycleResult expected = round.Decide(moment);
    moment.objects = std::make_shared<const ClusterObjects>(Shuffled(*moment.objects, seed));
    ASSERT_EQ(DifferenceOf(Sorted(round.Decide(moment)), Sorted(expected)), "");
  });
}

// A session after the one that came to `before`.
CycleOptions OptionsAfter(const CycleResult& before) {
  CycleOptions options;
  options.slack_before = &before.slack;
  options.autoscale_before = &before.autoscale;
  return options;
}

// Else a scheduler that leaves such a session out would decide something else.
TEST(Confs, where_nothing_has_changed_a_session_decides_what_the_last_one_did) {
  constexpr TimeNs kHour = TimeNs{3600} * 1'000'000'000;
  constexpr int kSessions = 4;
  std::int64_t still = 0;
  ForEachMixedRound([&](std::uint64_t seed, MixedRound& round) {
    const Moment moment = round.Later(seed);
    LiveCluster cluster{SnapshotOptions{}};
    RandomEvents::Feed(*moment.objects, cluster);
    const auto decide = [&](TimeNs now, const CycleResult& before) {
      return RunCycle(*cluster.Take(now, round.pipeline().needs.node_resources), round.pipeline(),
                      OptionsAfter(before));
    };
    CycleResult before;
    LastDecision decision;
    for (int session = 0; session < kSessions; ++session) {
      CycleResult result = decide(moment.now + session, before);
      if (decision.StandsAt(cluster.version())) {
        ++still;
        ASSERT_EQ(DifferenceOf(decide(moment.now + 50 * kHour, before), before), "");
        return;
      }
      const std::uint64_t seen = cluster.version();
      before = *cluster.Assume(std::move(result), moment.now + session).report;
      decision.Keep(round.pipeline(), seen, cluster.version());
    }
  });
  // Most random confs have a plugin that reads the clock.
  if (Rounds() < 1000) return;
  EXPECT_GT(still, Rounds() / 200);
}

// The numbers of base classes are others then.
TEST(Confs, a_snapshot_that_followed_the_changes_decides_as_one_built_anew) {
  constexpr int kSessions = 4;
  std::uint64_t followed = 0;
  ForEachMixedRound([&](std::uint64_t seed, MixedRound& round) {
    const Moment moment = round.Later(seed);
    LiveCluster cluster{SnapshotOptions{}};
    RandomEvents::Feed(*moment.objects, cluster);
    RandomEvents events(seed);
    const Pipeline& pipeline = round.pipeline();
    CycleResult before;
    for (int session = 0; session < kSessions; ++session) {
      SnapshotOptions options;
      options.now = moment.now + session;
      options.node_resources = pipeline.needs.node_resources;
      options.ignored = pipeline.ignored;
      const CycleOptions cycle = OptionsAfter(before);
      const auto anew = BuildSnapshot(std::make_shared<ClusterObjects>(cluster.objects()), options);
      const CycleResult want = RunCycle(*anew, pipeline, cycle);
      CycleResult got = RunCycle(
          *cluster.Take(options.now, options.node_resources, options.ignored), pipeline, cycle);
      ASSERT_EQ(DifferenceOf(got, want), "") << "session " << session;
      before = *cluster.Assume(std::move(got), options.now).report;
      for (int i = 0; i < 6; ++i) events.Next(false, cluster);
    }
    followed += cluster.snapshots().followed;
  });
  EXPECT_GT(followed, static_cast<std::uint64_t>(Rounds()) / 2);
}

TEST(Confs, a_dumped_session_is_decided_the_same_again) {
  ForEachMixedRound([](std::uint64_t seed, MixedRound& round) {
    const Moment moment = round.Later(seed);
    RunOptions options;
    options.cycle.slack_before = &moment.slack;
    options.cycle.autoscale_before = &moment.autoscale;
    std::stringstream text;
    const auto snapshot = BuildSnapshot(moment.objects, {.now = moment.now});
    DumpTo(text, round.conf_text(), options)(1, *snapshot, round.Decide(moment));
    DumpReader reader(text, "dump");
    const auto read = reader.Next();
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_TRUE(*read);
    const auto compiled = CompileConf((*read)->conf, "conf");
    ASSERT_TRUE(compiled) << compiled.error().message;
    const Result<ReplayedSession> session = Replay(**read, *compiled->pipeline);
    ASSERT_TRUE(session) << session.error().message;
    for (const Difference& d : session->differences) {
      ADD_FAILURE() << d.where << ": " << (d.now ? boost::json::serialize(*d.now) : "nothing")
                    << " instead of "
                    << (d.recorded ? boost::json::serialize(*d.recorded) : "nothing");
    }
  });
}

// `change` adds an object; `allow` takes out of a result what the object may change.
template <typename Change, typename Allow>
void ExpectNoOtherDecision(Change change, Allow allow) {
  ForEachMixedRound([&](std::uint64_t seed, MixedRound& round) {
    Moment moment = round.Later(seed);
    CycleResult expected = round.Decide(moment);
    moment.objects = std::make_shared<const ClusterObjects>(change(*moment.objects, seed));
    CycleResult got = round.Decide(moment);
    allow(round, expected);
    allow(round, got);
    ASSERT_EQ(DifferenceOfDecisions(got, expected), "");
  });
}

TEST(Confs, one_irrelevant_node_changes_nothing) {
  ExpectNoOtherDecision(WithIrrelevantNode, [](const MixedRound& round, CycleResult& result) {
    // Autoscaling remembers since when any node has not been ready, and the limit of the whole
    // cluster counts every node that is there.
    result.autoscale.memory.nodes.erase("irrelevant");
    if (ConfTraits(round.conf()).LimitsNodes()) result.autoscale = {};
  });
}

TEST(Confs, one_irrelevant_queue_changes_nothing) {
  ExpectNoOtherDecision(WithIrrelevantQueue, [](const MixedRound&, CycleResult& result) {
    std::erase_if(result.queues, [](const QueueStatus& q) { return q.name == "irrelevant"; });
  });
}

TEST(Confs, one_finished_pod_of_others_changes_nothing) {
  ExpectNoOtherDecision(
      [](const ClusterObjects& objects, std::uint64_t seed) {
        return WithIrrelevantPod(objects, Idle::kFinished, seed);
      },
      [](const MixedRound&, CycleResult&) {});
}

TEST(Confs, one_waiting_pod_of_others_changes_nothing) {
  ExpectNoOtherDecision(
      [](const ClusterObjects& objects, std::uint64_t seed) {
        return WithIrrelevantPod(objects, Idle::kWaiting, seed);
      },
      [](const MixedRound&, CycleResult&) {});
}

}  // namespace
}  // namespace batholith::property
