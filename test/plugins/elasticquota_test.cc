#include "plugins/elasticquota/elasticquota.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "framework/quota_owner.h"
#include "plugins/elasticquota/options.h"
#include "scheduler/compile_conf.h"
#include "test/plugins/plugin_world.h"

namespace batholith {
namespace {

// A quota whose pods hold twice its max, for longer than the conf allows.
EvictBy RevokedBy(std::map<std::string, std::string> arguments) {
  PluginWorld world;
  world.AddNode("n1", 16'000);
  world.AddGroup("g", 1);
  world.AddPod("g", "n1").quota_name = "q";
  world.AddPod("g", "n1").quota_name = "q";
  ElasticQuotaRecord& quota = world.objects.elastic_quotas.emplace_back();
  quota.meta.name = "q";
  quota.meta.namespace_ = "ns";
  quota.meta.annotations[std::string(kOverSinceAnnotation)] = "1";
  quota.group = "scheduling.sigs.k8s.io";
  quota.dialect = QuotaDialect::kKoordinator;
  quota.min = quota.max = {{"cpu", 1000}};
  arguments["monitorAllQuotas"] = "true";
  world.Open(ElasticQuotaPlugin(), arguments);
  const std::vector<QuotaOwner::Revoked> out = world.As<QuotaOwner>().Revoke();
  EXPECT_EQ(out.size(), 1U);
  return out.empty() ? EvictBy::kEviction : out.front().by;
}

TEST(ElasticQuota, revoke_by_says_how_revoked_pods_leave) {
  EXPECT_EQ(RevokedBy({}), EvictBy::kEviction);
  EXPECT_EQ(RevokedBy({{"revokeBy", "eviction"}}), EvictBy::kEviction);
  EXPECT_EQ(RevokedBy({{"revokeBy", "delete"}}), EvictBy::kDeletion);
}

TEST(ElasticQuota, a_conf_says_where_the_built_in_quotas_live) {
  const auto namespace_of = [](const std::string& plugin) {
    const auto conf = CompileConf("actions: allocate\ntiers: [{plugins: [" + plugin + "]}]", "c");
    EXPECT_TRUE(conf) << conf.error().message;
    return conf ? QuotaOptionsOf(*conf->pipeline).group_namespace : "";
  };
  EXPECT_EQ(namespace_of("{name: elasticquota, arguments: {quotaGroupNamespace: quotas}}"),
            "quotas");
  EXPECT_EQ(namespace_of("{name: elasticquota}"), "koordinator-system");
  EXPECT_EQ(namespace_of("{name: gang}"), "koordinator-system");
}

}  // namespace
}  // namespace batholith
