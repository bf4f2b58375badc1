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
  const ResourceSchema& schema = snapshot->schema;
  // 3 that always are, 1 of the node, gpu-memory: 27 more, a.io/10 to a.io/36.
  EXPECT_EQ(schema.size(), ResourceVector::kMaxDimensions);
  EXPECT_TRUE(schema.Find("z.io/last") && schema.Find("nos.nebuly.com/gpu-memory"));
  EXPECT_TRUE(schema.Find("a.io/36"));
  EXPECT_FALSE(schema.Find("a.io/37"));
}

// 29 dimensions are left beside cpu, memory and pods. b.io/x is on two nodes, 30 others on one:
// by number of nodes, then by name, a.io/58 and a.io/59 find no room, nor does what queues list.
TEST(SnapshotBuilder, of_too_many_names_those_that_most_nodes_offer_are_counted) {
  auto objects = std::make_shared<ClusterObjects>();
  for (const char* name : {"n1", "n2"}) {
    NodeRecord& node = objects->nodes.emplace_back();
    node.meta.name = name;
    node.allocatable = {{"cpu", 1000}, {"b.io/x", 1000}};
  }
  for (int i = 30; i < 60; ++i) objects->nodes[0].allocatable["a.io/" + std::to_string(i)] = 1000;
  QueueRecord& queue = objects->queues.emplace_back();
  queue.meta.name = "q";
  queue.capability = {{"0.io/first", 1000}, {"requests.cpu", 1000}, {"count/pods", 1}};
  const auto snapshot = BuildSnapshot(objects, {});
  EXPECT_EQ(snapshot->schema.size(), ResourceVector::kMaxDimensions);
  EXPECT_TRUE(snapshot->schema.Find("b.io/x"));
  EXPECT_TRUE(snapshot->schema.Find("a.io/57"));
  EXPECT_FALSE(snapshot->schema.Find("a.io/58"));
  EXPECT_EQ(snapshot->notices,
            std::vector<std::string>{
                "nodes, queues and quotas name 35 resources, at most 32 are counted: pods that ask "
                "for the others wait: a.io/58 (Node n1), a.io/59 (Node n1), 0.io/first (Queue q)"});
}

TEST(SnapshotBuilder, what_only_pods_name_has_no_dimension) {
  auto objects = std::make_shared<ClusterObjects>();
  objects->nodes.emplace_back().allocatable = {{"cpu", 1000}};
  const auto constraints = std::make_shared<PodConstraints>();
  for (int i = 0; i < 100; ++i) {
    PodRecord& pod = objects->pods.emplace_back();
    pod.meta.name = "p" + std::to_string(i);
    pod.constraints = constraints;
    pod.request = {{"cpu", 500}, {"evil.io/" + std::to_string(i), i % 2}};
  }
  objects->pods.emplace_back().constraints = constraints;
  objects->pods.back().request = {{"evil.io/1", 0}};
  const auto snapshot = BuildSnapshot(objects, {});
  EXPECT_EQ(snapshot->schema.size(), 3U);
  EXPECT_TRUE(snapshot->notices.empty());
  EXPECT_EQ(snapshot->uncounted.size(), 50U);
  for (const TaskFacts& task : snapshot->tasks) {
    const auto uncounted = snapshot->Uncounted(task.record->request);
    const bool asks = task.request[ResourceSchema::kCpu] > 0 && !uncounted.empty();
    EXPECT_EQ(task.unserved, asks) << task.record->meta.name;
    if (asks) {
      EXPECT_TRUE(task.record->request.contains(snapshot->ResourceName(uncounted[0])));
    }
  }
  EXPECT_TRUE(snapshot->tasks.front().best_effort);  // the one without a name comes first
}

TEST(SnapshotBuilder, nodes_to_come_offer_what_their_templates_and_the_conf_say) {
  auto objects = std::make_shared<ClusterObjects>();
  objects->node_groups.emplace_back().node_template.emplace().allocatable = {{"a.io/gpu", 1000}};
  const auto snapshot = BuildSnapshot(objects, {.node_resources = {"b.io/gpu"}});
  EXPECT_TRUE(snapshot->schema.Find("a.io/gpu"));
  EXPECT_TRUE(snapshot->schema.Find("b.io/gpu"));
}

}  // namespace
}  // namespace batholith
