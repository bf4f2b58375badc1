#include <gtest/gtest.h>

#include "cache/snapshot_builder.h"

namespace batholith {
namespace {

TEST(SnapshotBuilder, names_of_quotas_are_dimensions_while_there_is_room) {
  auto objects = std::make_shared<ClusterObjects>();
  objects->nodes.emplace_back().allocatable = {{"cpu", 1000}, {"z.io/last", 1000}};
  ElasticQuotaRecord& quota = objects->elastic_quotas.emplace_back();
  quota.min = ResourceList{{"nos.nebuly.com/gpu-memory", 1000}};
  quota.max.emplace();
  for (int i = 10; i < 50; ++i) (*quota.max)["a.io/" + std::to_string(i)] = 1000;
  const auto snapshot = BuildSnapshot(objects, {});
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const ResourceSchema& schema = (*snapshot)->schema;
  // 3 that always are, 1 of the node, gpu-memory: 27 more, a.io/10 to a.io/36.
  EXPECT_EQ(schema.size(), ResourceVector::kMaxDimensions);
  EXPECT_TRUE(schema.Find("z.io/last") && schema.Find("nos.nebuly.com/gpu-memory"));
  EXPECT_TRUE(schema.Find("a.io/36"));
  EXPECT_FALSE(schema.Find("a.io/37"));
}

}  // namespace
}  // namespace batholith
