// Quotas that once ended a session, or all of them.
#include <gtest/gtest.h>

#include <string>

#include "cache/snapshot_builder.h"
#include "quota/forest.h"

namespace batholith {
namespace {

QuotaForest ForestOf(const Snapshot& snapshot) {
  return QuotaForest(*snapshot.objects, snapshot.schema, {}, QuotaOptions::Defaults(false));
}

ElasticQuotaRecord Koordinators(const std::string& name, const std::string& parent) {
  ElasticQuotaRecord quota;
  quota.meta.name = name;
  quota.meta.namespace_ = "evil";
  quota.group = kSigsGroup;
  quota.dialect = QuotaDialect::kKoordinator;
  quota.parent = parent;
  quota.is_parent = true;
  return quota;
}

// A quota without a name was its own child, and so on for ever.
TEST(HostileQuotas, a_profile_that_names_no_quota_makes_none_and_is_told) {
  auto objects = std::make_shared<ClusterObjects>();
  objects->quota_profiles.emplace_back().meta.name = "p";
  objects->quota_profiles[0].meta.namespace_ = "evil";
  objects->elastic_quotas.push_back(Koordinators("q", ""));
  const auto snapshot = BuildSnapshot(objects, {});
  const QuotaForest forest = ForestOf(*snapshot);
  ASSERT_EQ(forest.problems().size(), 1U);
  EXPECT_EQ(forest.problems()[0].text,
            "ElasticQuotaProfile evil/p: spec.quotaName is empty, so no quota is made of it");
}

// 20,000 levels, each a frame of some kilobytes, were more than a stack.
TEST(HostileQuotas, a_chain_of_quotas_may_be_deeper_than_the_stack) {
  constexpr int kLevels = 20'000;
  auto objects = std::make_shared<ClusterObjects>();
  for (int i = 0; i < kLevels; ++i) {
    objects->elastic_quotas.push_back(
        Koordinators("q" + std::to_string(i), i == 0 ? "" : "q" + std::to_string(i - 1)));
  }
  const auto snapshot = BuildSnapshot(objects, {});
  const QuotaForest forest = ForestOf(*snapshot);
  EXPECT_TRUE(forest.problems().empty());
  EXPECT_GE(forest.size(), static_cast<std::size_t>(kLevels));
}

}  // namespace
}  // namespace batholith
