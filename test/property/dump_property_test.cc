// What a dump must keep, whatever the records. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "cmd/session_dump.h"
#include "codec/dump.h"
#include "framework/cycle.h"
#include "test/codec/same_objects.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"
#include "test/property/random_records.h"

namespace batholith::property {
namespace {

TEST(DumpProperty, every_field_of_every_record_reads_back) {
  ForEachSeed([](std::uint64_t seed) {
    SessionDump dump;
    dump.cycle = static_cast<int>(seed % 1000) + 1;
    dump.now = static_cast<TimeNs>(seed * 1'234'567'891);
    dump.conf = "actions: \"\"\n# " + std::to_string(seed);
    dump.scheduler_names = {"volcano", "é\n"};
    dump.figures_only = seed % 2 == 0;
    dump.hold_device_claims = seed % 3 == 0;
    dump.objects = std::make_shared<const ClusterObjects>(RandomRecords(seed));
    std::stringstream text;
    WriteDump(dump, text);
    DumpReader reader(text, "dump");
    const auto read = reader.Next();
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_TRUE(*read);
    EXPECT_EQ((*read)->cycle, dump.cycle);
    EXPECT_EQ((*read)->now, dump.now);
    EXPECT_EQ((*read)->conf, dump.conf);
    EXPECT_EQ((*read)->scheduler_names, dump.scheduler_names);
    EXPECT_EQ((*read)->default_queue, dump.default_queue);
    EXPECT_EQ((*read)->figures_only, dump.figures_only);
    EXPECT_EQ((*read)->hold_device_claims, dump.hold_device_claims);
    EXPECT_EQ(FirstDifference(*dump.objects, *(*read)->objects), "");
  });
}

TEST(DumpProperty, a_dumped_session_decides_the_same_again) {
  ForEachSeed([](std::uint64_t seed) {
    const Pipeline& pipeline = PipelineOf(ConfKindOf(seed));
    const std::shared_ptr<const Snapshot> snapshot = SnapshotOf(RandomCluster(seed));
    std::stringstream text;
    DumpTo(text, "", {})(1, *snapshot, RunCycle(*snapshot, pipeline));
    DumpReader reader(text, "dump");
    const auto read = reader.Next();
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_TRUE(*read);
    ASSERT_FALSE((*read)->decisions.is_null());
    const Result<ReplayedSession> session = Replay(**read, pipeline);
    ASSERT_TRUE(session) << session.error().message;
    for (const Difference& d : session->differences) ADD_FAILURE() << d.where;
  });
}

// A dump comes from anywhere: one with a few bytes changed is refused or decided, whatever it says.
TEST(DumpProperty, a_damaged_dump_is_refused_or_decided) {
  ForEachSeed([](std::uint64_t seed) {
    const Pipeline& pipeline = PipelineOf(ConfKindOf(seed));
    const std::shared_ptr<const Snapshot> snapshot = SnapshotOf(RandomCluster(seed));
    std::ostringstream written;
    DumpTo(written, "", {})(1, *snapshot, CycleResult());
    std::string text = written.str();
    std::mt19937_64 random(seed);
    for (std::uint64_t n = seed % 4 + 1; n > 0; --n) {
      constexpr std::string_view kBytes = "0129-\"{}[],:eEmKn ";
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    std::istringstream in(text);
    const auto read = DumpReader(in, "dump").Next();
    if (read && *read) (void)Replay(**read, pipeline);
  });
}

}  // namespace
}  // namespace batholith::property
