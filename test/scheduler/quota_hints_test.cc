#include "scheduler/quota_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/compile_conf.h"

namespace batholith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> HintsOf(const std::string& actions, const std::string& plugins,
                                 QuotaDialect dialect) {
  const Result<CompiledConf> conf =
      CompileConf("actions: \"" + actions + "\"\ntiers: [{plugins: [" + plugins + "]}]", "c");
  EXPECT_TRUE(conf) << conf.error().message;
  ClusterObjects objects;
  objects.elastic_quotas.emplace_back().dialect = dialect;
  return QuotaHints(objects, *conf->pipeline);
}

constexpr const char* kGang = "{name: gang}";
constexpr const char* kQuotas = "{name: gang}, {name: elasticquota}";
constexpr const char* kMonitored =
    "{name: gang}, {name: elasticquota, arguments: {monitorAllQuotas: true}}";
constexpr const char* kUnbounded =
    "{name: gang}, {name: elasticquota, arguments: {enableRuntimeQuota: false}}";

TEST(QuotaHints, say_what_quotas_lack_to_work) {
  const auto flat = QuotaDialect::kSchedulerPlugins;
  EXPECT_THAT(HintsOf("allocate", kGang, flat),
              ElementsAre("there are 1 elastic quotas, and no plugin of the conf judges by them: "
                          "add elasticquota"));
  EXPECT_THAT(HintsOf("allocate", kQuotas, flat),
              ElementsAre("elastic quotas lend and never take back: add reclaim to actions"));
  EXPECT_THAT(HintsOf("allocate, reclaim", kQuotas, flat), IsEmpty());
  EXPECT_THAT(HintsOf("allocate, preempt", kQuotas, flat), IsEmpty());
  const auto koordinator = QuotaDialect::kKoordinator;
  EXPECT_THAT(HintsOf("allocate, reclaim", kQuotas, koordinator),
              ElementsAre("quotas of scheduling.sigs.k8s.io that use more than their runtime keep "
                          "it: add revoke to actions and monitorAllQuotas: true to the arguments "
                          "of plugin elasticquota"));
  EXPECT_THAT(HintsOf("allocate, reclaim", kMonitored, koordinator),
              ElementsAre(testing::EndsWith("keep it: add revoke to actions")));
  EXPECT_THAT(HintsOf("allocate, revoke", kQuotas, koordinator),
              ElementsAre(HasSubstr("keep it: add monitorAllQuotas: true to the arguments")));
  EXPECT_THAT(HintsOf("allocate, revoke", kMonitored, koordinator), IsEmpty());
  EXPECT_THAT(HintsOf("allocate", kUnbounded, koordinator), IsEmpty()) << "max is the limit";
}

TEST(QuotaHints, say_nothing_of_a_cluster_without_quotas) {
  const Result<CompiledConf> conf = CompileConf("actions: allocate\ntiers: []", "c");
  ASSERT_TRUE(conf) << conf.error().message;
  EXPECT_THAT(QuotaHints({}, *conf->pipeline), IsEmpty());
}

}  // namespace
}  // namespace batholith
