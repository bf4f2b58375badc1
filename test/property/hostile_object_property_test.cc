// Any one hostile object added to a random cluster changes no decision about the others: what is
// bound, evicted, reserved, and what is told of each job and pod. See hostile_objects.h for what
// counts as hostile.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cache/snapshot_builder.h"
#include "framework/cycle.h"
#include "test/property/hostile_objects.h"
#include "test/property/invariants.h"
#include "test/property/property_env.h"
#include "test/property/quota_env.h"
#include "test/property/random_cluster.h"
#include "test/property/random_quotas.h"

namespace batholith::property {
namespace {

bool IsHostile(const std::string& key) { return key.starts_with("evil"); }

// What is decided and told about everybody else.
std::vector<std::string> About(const CycleResult& r) {
  std::vector<std::string> lines = DecisionLines(r);
  for (const JobStatus& j : r.jobs) {
    if (IsHostile(j.key)) continue;
    lines.push_back(fmt::format("job {} {} {}", j.key, JobPhaseName(j.phase), j.message));
    for (const auto& [status, count] : j.tasks)
      lines.push_back(fmt::format("job {} {} {}", j.key, status, count));
    for (const JobCondition& c : j.conditions)
      lines.push_back(fmt::format("job {} {} {} {}", j.key, c.type, c.reason, c.message));
  }
  for (const PodStatus& p : r.pods) {
    if (!IsHostile(p.key)) lines.push_back(fmt::format("pod {} {} {}", p.key, p.reason, p.message));
  }
  return lines;
}

CycleResult DecideVerified(const ClusterObjects& objects, const Pipeline& pipeline) {
  CycleOptions options;
  options.verify = true;
  return RunCycle(*SnapshotOf(objects), pipeline, options);
}

TEST(HostileObject, changes_no_decision_about_others) {
  std::map<std::string, int> kinds;
  std::size_t decided = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const bool quotas = seed % 3 == 2;
    const Pipeline& pipeline =
        quotas ? PipelineOf(QuotaConfOf(seed / 3)) : PipelineOf(ConfKindOf(seed / 3));
    ClusterObjects objects = quotas ? RandomQuotas(seed) : RandomCluster(seed);
    const std::vector<std::string> expected = About(DecideVerified(objects, pipeline));
    decided += expected.size();
    const std::string what = AddHostileObject(seed, objects);
    ++kinds[what];
    const CycleResult result = DecideVerified(objects, pipeline);
    for (const Bind& b : result.binds) ASSERT_FALSE(IsHostile(b.pod)) << what << ": " << b.pod;
    const std::vector<std::string> got = About(result);
    for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i)
      ASSERT_EQ(got[i], expected[i]) << "with " << what;
    ASSERT_EQ(got.size(), expected.size()) << "with " << what;
  });
  if (Rounds() < 100) return;
  EXPECT_GE(kinds.size(), std::size_t{10});  // else it proves little
  EXPECT_GT(decided, static_cast<std::size_t>(Rounds()));
}

}  // namespace
}  // namespace batholith::property
