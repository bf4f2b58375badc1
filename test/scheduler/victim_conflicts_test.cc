#include "scheduler/victim_conflicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/compile_conf.h"

namespace batholith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kCpu = 1000;

void AddQuota(const std::string& namespace_, std::int64_t min, std::int64_t request,
              ClusterObjects& objects, CycleResult& result) {
  ElasticQuotaRecord& record = objects.elastic_quotas.emplace_back();
  record.meta.namespace_ = namespace_;
  record.meta.name = "q";
  record.group = kSchedulerPluginsGroup;
  QuotaStatus& status = result.quotas.emplace_back();
  status.name = namespace_ + "/q";
  status.group = record.group;
  status.kind = record.kind;
  status.min = {{"cpu", min * kCpu}};
  status.request = {{"cpu", request * kCpu}};
}

// Namespace a with a min of 6 cpus in queue left, which deserves 4; namespace b with a min of 2 in
// `other`, which deserves 4 as well.
std::vector<std::string> ConflictsOf(const std::string& actions, const std::string& plugins,
                                     std::int64_t a_asks = 8, const std::string& other = "right") {
  const Result<CompiledConf> conf = CompileConf(
      "actions: \"" + actions + "\"\ntiers: [{plugins: [{name: gang}, " + plugins + "]}]", "c");
  EXPECT_TRUE(conf) << conf.error().message;
  ClusterObjects objects;
  CycleResult result;
  AddQuota("a", 6, a_asks, objects, result);
  AddQuota("b", 2, 8, objects, result);
  result.jobs.resize(2);
  result.jobs[0].key = "a/j";
  result.jobs[0].queue = "left";
  result.jobs[1].key = "b/j";
  result.jobs[1].queue = other;
  for (const char* queue : {"left", "right"}) {
    result.queues.emplace_back().name = queue;
    result.queues.back().deserved = {{"cpu", 4 * kCpu}};
  }
  return VictimConflicts(objects, *conf->pipeline, result);
}

constexpr const char* kBoth = "{name: proportion}, {name: elasticquota}";

TEST(VictimConflicts, are_told_where_a_quota_is_guaranteed_more_than_its_queue_deserves) {
  EXPECT_THAT(
      ConflictsOf("allocate, reclaim", kBoth),
      ElementsAre(
          "plugins elasticquota and proportion refuse each other's victims: the quotas of queue "
          "left are guaranteed more cpu than the queue deserves, and beyond that nothing is taken "
          "back for them from other queues (let the queue deserve more, or put the jobs of these "
          "quotas into one queue)"));
}

TEST(VictimConflicts, are_none_where_the_plugins_can_agree) {
  EXPECT_THAT(ConflictsOf("allocate", kBoth), IsEmpty()) << "nothing is taken back anyway";
  EXPECT_THAT(ConflictsOf("allocate, reclaim", "{name: elasticquota}"), IsEmpty());
  EXPECT_THAT(ConflictsOf("allocate, reclaim",
                          "{name: proportion, enableReclaimable: false}, {name: elasticquota}"),
              IsEmpty());
  EXPECT_THAT(ConflictsOf("allocate, reclaim", kBoth, 4), IsEmpty()) << "it asks for 4 of its 6";
  EXPECT_THAT(ConflictsOf("allocate, reclaim", kBoth, 8, "left"), IsEmpty())
      << "in one queue quotas are the only judge";
}

}  // namespace
}  // namespace batholith
