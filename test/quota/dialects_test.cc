#include <gtest/gtest.h>

#include "quota/victims.h"
#include "test/quota/quota_cluster.h"

namespace batholith {
namespace {

ResourceList Gpus(std::int64_t count) {
  return {{"cpu", count * 1000}, {"nvidia.com/gpu", count * 1000}};
}

// Quotas that list GPUs only, pods that ask for cpu too: what a min does not list is nobody's to
// claim.
TEST(QuotaVictimWalk, a_quota_loses_only_what_the_preemptor_is_guaranteed) {
  struct Row {
    std::string name;
    ResourceList own_min;
    ResourceList other_min;
    std::int64_t used;  // GPUs of the other quota, with a cpu each
    bool taken;
  };
  const ResourceList gpus4{{"nvidia.com/gpu", 4000}};
  const std::vector<Row> rows{
      {"the other is over its GPUs", {{"nvidia.com/gpu", 1000}}, gpus4, 5, true},
      {"the other is within its GPUs", {{"nvidia.com/gpu", 1000}}, gpus4, 4, false},
      {"the preemptor claims cpu, of which the other is guaranteed none",
       {{"cpu", 1000}},
       gpus4,
       4,
       true},
      {"the other is guaranteed nothing", {{"nvidia.com/gpu", 1000}}, {}, 1, true},
      {"the preemptor is guaranteed nothing", {}, gpus4, 5, false},
  };
  for (const Row& row : rows) {
    ClusterObjects objects;
    objects.elastic_quotas = {QuotaIn(kSchedulerPluginsGroup, "own", "q"),
                              QuotaIn(kSchedulerPluginsGroup, "other", "q")};
    objects.elastic_quotas[0].min = row.own_min;
    objects.elastic_quotas[1].min = row.other_min;
    QuotaBench bench(std::move(objects), {}, QuotaOptions::Defaults(false));
    const auto pods = [&](std::int64_t count) {
      return QuotaPod{bench.Units(Gpus(count)), 0, true};
    };
    bench.forest().Charge(bench.At("other"), pods(row.used), QuotaHold::kAssigned, 1);
    const QuotaPod preemptor = pods(1);
    const QuotaPod victim = pods(1);
    QuotaVictimWalk walk(bench.forest(), bench.At("own"), preemptor,
                         AskedDimensions(preemptor.request, bench.forest().dimensions()));
    EXPECT_EQ(walk.Take({bench.At("other"), &victim, false}), row.taken) << row.name;
  }
}

// A nos quota elsewhere makes gpu-memory a resource of the cluster; other dialects know nothing of
// it, and the strict rules of scheduler-plugins refuse what no min lists.
TEST(QuotaPods, gpu_memory_is_derived_only_where_a_quota_knows_it) {
  for (const char* arguments : {"compat: strict", "compat: ours"}) {
    QuotaCluster cluster;
    NodeRecord& node = cluster.AddNode("n", YAML::Node());
    AddTo(node.allocatable, Gpus(4));
    cluster.objects.elastic_quotas = {QuotaIn(kSchedulerPluginsGroup, "plain", "q"),
                                      QuotaIn(kNosGroup, "memory", "q")};
    cluster.objects.elastic_quotas[0].min = Gpus(2);
    cluster.objects.elastic_quotas[1].min = {
        {"cpu", 2000}, {"nvidia.com/gpu", 2000}, {"nos.nebuly.com/gpu-memory", 32'000}};
    for (const char* namespace_ : {"plain", "memory"}) cluster.AddPod(namespace_, "p", Gpus(1), 0);
    const RunOutcome outcome = cluster.Run(arguments);
    EXPECT_EQ(outcome.binds.size(), 2U) << arguments;
    RunOptions figures = Figures();
    cluster.objects.pods[1].node_name = "n";
    cluster.objects.pods[1].phase = PodPhase::kRunning;
    EXPECT_EQ(QuotaCluster::FigureOf(cluster.Run(arguments, figures), "memory")
                  ->used["nos.nebuly.com/gpu-memory"],
              16'000)
        << arguments;
  }
}

}  // namespace
}  // namespace batholith
