#include "scheduler/delay_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/compile_conf.h"

namespace batholith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TimeNs kSecond = 1'000'000'000;
constexpr TimeNs kStart = 1000 * kSecond;

// Under a conf with these actions and this plugin: quota a/q uses 3 cpus of a runtime of 2, and job
// a/j, as old as the simulation, waits.
std::vector<std::string> HintsAfter(std::int64_t seconds, const std::string& actions,
                                    const std::string& plugin, Labels of_job = {}) {
  const Result<CompiledConf> conf = CompileConf(
      "actions: \"" + actions + "\"\ntiers: [{plugins: [{name: gang}, " + plugin + "]}]", "c");
  EXPECT_TRUE(conf) << conf.error().message;
  ClusterObjects objects;
  PodGroupRecord& group = objects.pod_groups.emplace_back();
  group.meta.namespace_ = "a";
  group.meta.name = "j";
  group.meta.creation = kStart;
  group.meta.annotations = std::move(of_job);
  CycleResult last;
  JobStatus& job = last.jobs.emplace_back();
  job.key = "a/j";
  job.message = "0/1 nodes are available";
  QuotaStatus& quota = last.quotas.emplace_back();
  quota.name = "a/q";
  quota.used = {{"cpu", 3000}};
  quota.runtime = {{"cpu", 2000}};
  return DelayHints(objects, *conf->pipeline, last, kStart + seconds * kSecond,
                    std::chrono::seconds(seconds));
}

constexpr const char* kDelayed =
    "{name: elasticquota, arguments: {monitorAllQuotas: true, delayEvictTime: 5m}}";

TEST(DelayHints, tell_of_quotas_that_would_give_back_later) {
  EXPECT_THAT(HintsAfter(9, "allocate, revoke", kDelayed),
              ElementsAre("delayEvictTime of plugin elasticquota is 300s, and the last session is "
                          "9s after the first: quota a/q still keeps what is used beyond the "
                          "runtime (simulate longer: --cycles, --period)"));
  EXPECT_THAT(HintsAfter(300, "allocate, revoke", kDelayed), IsEmpty());
  EXPECT_THAT(HintsAfter(9, "allocate", kDelayed), IsEmpty()) << "nobody revokes at all";
}

TEST(DelayHints, tell_of_jobs_whose_time_has_not_come) {
  constexpr const char* kSla = "{name: sla, arguments: {sla-waiting-time: 1m}}";
  EXPECT_THAT(HintsAfter(9, "allocate", kSla),
              ElementsAre("sla-waiting-time is 60s, and the last session is 9s after the first: "
                          "job a/j waits and has not waited so long yet (simulate longer: "
                          "--cycles, --period)"));
  EXPECT_THAT(HintsAfter(60, "allocate", kSla), IsEmpty());
  EXPECT_THAT(HintsAfter(9, "allocate", kSla, {{"sla-waiting-time", "5s"}}), IsEmpty());
  EXPECT_THAT(HintsAfter(9, "allocate", "{name: sla}"), IsEmpty());
  EXPECT_THAT(HintsAfter(9, "allocate", "{name: drf}"), IsEmpty());
}

}  // namespace
}  // namespace batholith
