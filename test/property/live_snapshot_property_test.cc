// The snapshot that follows the changes of a cluster is the one that would be built anew.
#include <gtest/gtest.h>

#include <memory>

#include "cache/live_cluster.h"
#include "framework/cycle.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"
#include "test/property/random_events.h"
#include "test/property/same_snapshot.h"

namespace batholith::property {
namespace {

constexpr TimeNs kNow = 1'767'225'600'000'000'000;
constexpr int kSessions = 8;

SnapshotOptions OptionsAt(TimeNs now) {
  SnapshotOptions options;
  options.now = now;
  return options;
}

TEST(LiveSnapshotProperty, what_follows_the_changes_is_what_would_be_built_anew) {
  std::uint64_t followed = 0, built = 0, stood = 0;
  ForEachSeed([&](std::uint64_t seed) {
    LiveCluster cluster{SnapshotOptions{}};
    RandomEvents::Feed(RandomCluster(seed), cluster);
    RandomEvents events(seed);
    Draws draws(seed);
    const Pipeline& pipeline = PipelineOf(static_cast<ConfKind>(seed % kConfKinds));
    const bool odd = seed % 4 == 0;
    for (int session = 0; session < kSessions; ++session) {
      const TimeNs now = kNow + session;
      auto snapshot = cluster.Take(now);
      const auto objects = std::make_shared<ClusterObjects>(cluster.objects());
      const auto anew = BuildSnapshot(objects, OptionsAt(now));
      ASSERT_EQ(DifferenceOfSnapshots(*snapshot, *anew), "") << "session " << session;
      stood += snapshot->standing != nullptr ? 1 : 0;
      if (draws.Chance(50)) {
        CycleResult result = RunCycle(*snapshot, pipeline);
        snapshot.reset();
        cluster.Assume(std::move(result), now);
      }
      snapshot.reset();
      if (draws.Chance(10)) cluster.DropSnapshot();
      for (int i = draws.Int(0, 12); i > 0; --i) events.Next(odd && draws.Chance(20), cluster);
    }
    followed += cluster.snapshots().followed;
    built += cluster.snapshots().built;
  });
  // Of the eight the first is built, and a tenth of the others; of every fourth cluster most are.
  EXPECT_GT(followed, built);
  // Where they stand is kept beside it.
  EXPECT_GE(stood, followed);
}

}  // namespace
}  // namespace batholith::property
