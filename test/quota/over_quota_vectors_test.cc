#include <gtest/gtest.h>

#include <set>

#include "api/time_text.h"
#include "api/wide.h"
#include "cache/snapshot_builder.h"
#include "codec/json/field.h"
#include "quota/capacity_labels.h"
#include "quota/over_quota.h"
#include "quota/pods.h"
#include "test/quota/quota_cluster.h"

// nos: what quotas may count on above their min, and which pods are over quota, by the vectors.
namespace batholith {
namespace {

class OverQuotaVectors : public QuotaVectorTest {};

TEST_F(OverQuotaVectors, what_is_guaranteed) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "guaranteed_over_quota")) {
    QuotaBench bench(FlatQuotas(kNosGroup, v.inputs["quotas"]));
    bench.UseAll(v.inputs["quotas"]);
    const QuotaIndex q = bench.At(TextOf(v.inputs["quota"]));
    EXPECT_EQ(q.is_none(), v.expected["error"].IsDefined()) << v.id;
    if (q.is_none()) continue;
    EXPECT_EQ(
        bench.List(GuaranteedOverQuota(bench.forest().SumsOf(QuotaDialect::kNos),
                                       bench.forest().node(q).min, bench.forest().dimensions())),
        NonZero(v.expected["guaranteed"]))
        << v.id;
  }
}

TEST_F(OverQuotaVectors, what_is_unused) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "total_over_quota")) {
    QuotaBench bench(FlatQuotas(kNosGroup, v.inputs["quotas"]));
    bench.UseAll(v.inputs["quotas"]);
    EXPECT_EQ(bench.List(bench.forest().SumsOf(QuotaDialect::kNos).unused),
              NonZero(v.expected["total"]))
        << v.id;
  }
}

// "5/8" as numerator and denominator.
std::pair<std::int64_t, std::int64_t> FractionOf(const std::string& text) {
  const std::size_t slash = text.find('/');
  return {std::stoll(text), slash == text.npos ? 1 : std::stoll(text.substr(slash + 1))};
}

// min ÷ Σ min, compared without a division. What is not listed is 0.
TEST_F(OverQuotaVectors, parts_of_the_sum) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "guaranteed_percentage")) {
    QuotaBench bench(FlatQuotas(kNosGroup, v.inputs["quotas"]));
    bench.UseAll(v.inputs["quotas"]);
    const QuotaList& min = bench.node(TextOf(v.inputs["quota"])).min;
    const ResourceVector& sum = bench.forest().SumsOf(QuotaDialect::kNos).min;
    for (std::size_t r = 0; r < bench.schema().size(); ++r) {
      const auto [part, whole] =
          FractionOf(TextOf(v.expected["fraction"][bench.schema().name(r)], "0"));
      EXPECT_EQ(static_cast<Wide>(min[r]) * whole, static_cast<Wide>(sum[r]) * part)
          << v.id << " " << bench.schema().name(r);
      EXPECT_GE(sum[r], part > 0 ? 1 : 0) << v.id << " " << bench.schema().name(r);
    }
  }
}

TEST_F(OverQuotaVectors, sums_and_differences) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "resource_arith")) {
    const QuotaBench bench{ClusterObjects()};
    const ResourceVector a = bench.Units(v.inputs["a"]);
    const ResourceVector b = bench.Units(v.inputs["b"]);
    const std::map<std::string, ResourceVector> results{
        {"sum", a + b}, {"subtract", a - b}, {"subtract_non_negative", (a - b).ClampedAtZero()}};
    EXPECT_EQ(bench.List(results.at(TextOf(v.inputs["op"]))), NonZero(v.expected["result"]))
        << v.id;
  }
}

// The quotas of namespaces after one change; what upstream changes step by step is the objects.
TEST_F(OverQuotaVectors, quotas_of_namespaces) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "quota_map")) {
    ClusterObjects objects;
    std::set<std::string> namespaces;
    for (const auto& entry : v.inputs["map"]) {
      namespaces.insert(entry.first.as<std::string>());
      objects.elastic_quotas.push_back(
          QuotaIn(kNosGroup, entry.first.as<std::string>(), entry.second.as<std::string>()));
    }
    const bool adds = v.inputs["add"].IsDefined();
    const YAML::Node change = v.inputs[adds ? "add" : "update"];
    const YAML::Node now = change[adds ? "namespaces" : "new"];
    objects.elastic_quotas.push_back(
        Composite(TextOf(change["name"]), now.as<std::vector<std::string>>()));
    for (const YAML::Node& list : {now, adds ? YAML::Node() : change["old"]}) {
      for (const YAML::Node& namespace_ : list) namespaces.insert(namespace_.as<std::string>());
    }
    const QuotaBench bench(std::move(objects));
    std::map<std::string, std::string> got;
    for (const std::string& namespace_ : namespaces) {
      const QuotaIndex q = bench.forest().QuotaOf(PodIn(namespace_));
      if (!q.is_none()) got[namespace_] = bench.forest().node(q).record->meta.name;
    }
    EXPECT_EQ(got, (v.expected["map"].as<std::map<std::string, std::string>>())) << v.id;
  }
}

// A cluster with one quota, composite where its pods live in several namespaces.
QuotaCluster Labelled(const YAML::Node& in) {
  QuotaCluster cluster;
  cluster.AddNode("n", YAML::Node());
  std::set<std::string> namespaces;
  for (const YAML::Node& row : in["pods"]) {
    PodRecord& pod =
        cluster.AddPod(TextOf(row["namespace"], "ns-1"), TextOf(row["name"]),
                       AmountsOf(row["request"]), row["priority"].as<std::int32_t>(), "n");
    namespaces.insert(pod.meta.namespace_);
    pod.meta.creation = *ParseTime(TextOf(row["created"]));
    const std::string phase = TextOf(row["phase"], "Running");
    if (phase == "Succeeded") pod.phase = PodPhase::kSucceeded;
    if (phase == "Pending") pod.phase = PodPhase::kPending;
  }
  ElasticQuotaRecord& quota = cluster.objects.elastic_quotas.emplace_back(
      namespaces.size() > 1 ? Composite("q", {namespaces.begin(), namespaces.end()})
                            : QuotaIn(kNosGroup, "ns-1", "q"));
  quota.min = AmountsOf(in["min"]);
  quota.max = AmountsOf(in["max"]);
  return cluster;
}

TEST_F(OverQuotaVectors, the_order_of_labelling) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "label_pods")) {
    if (!v.expected["order"]) continue;
    const QuotaCluster cluster = Labelled(v.inputs);
    const QuotaBench bench{ClusterObjects()};
    std::vector<QuotaPod> weights;
    std::vector<LabelledPod> pods;
    for (const PodRecord& pod : cluster.objects.pods)
      weights.push_back({bench.Units(pod.request), *pod.priority, true});
    for (std::size_t i = 0; i < weights.size(); ++i)
      pods.push_back({&cluster.objects.pods[i], &weights[i], false});
    std::vector<std::string> order;
    for (const std::size_t i : LabelPods({}, bench.schema().size(), pods))
      order.push_back(pods[i].record->meta.name);
    EXPECT_EQ(order, v.expected["order"].as<std::vector<std::string>>()) << v.id;
  }
}

TEST_F(OverQuotaVectors, labels_and_status) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "label_pods")) {
    if (v.expected["order"]) continue;
    const RunOutcome outcome = Labelled(v.inputs).Run(
        "compat: strict, nvidiaGpuResourceMemoryGB: " + TextOf(v.inputs["gb_per_gpu"]), Figures());
    std::map<std::string, std::string> labels;
    for (const PodLabel& label : outcome.last.labels) labels[NameOf(label.pod)] = label.value;
    EXPECT_EQ(labels, (v.expected["labels"].as<std::map<std::string, std::string>>())) << v.id;
    if (!v.expected["used"]) continue;
    EXPECT_EQ(QuotaCluster::FigureOf(outcome, "q")->used, NonZero(v.expected["used"])) << v.id;
  }
}

TEST_F(OverQuotaVectors, the_label_of_a_pod) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "is_over_quota")) {
    QuotaCluster cluster;
    cluster.objects.elastic_quotas = {QuotaIn(kNosGroup, "ns", "q")};
    YAML::Node pod;
    pod["label"] = v.inputs["label"];
    pod["priority"] = 0;
    cluster.AddPod(pod);
    cluster.objects.queues.emplace_back().meta.name = "default";
    const auto snapshot =
        BuildSnapshot(std::make_shared<const ClusterObjects>(cluster.objects), {});
    const QuotaForest forest(*snapshot->objects, snapshot->schema, {},
                             QuotaOptions::Defaults(true));
    EXPECT_EQ(QuotaPods(*snapshot, forest).counts_as_over(TaskIndex(0)),
              v.expected["over"].as<bool>())
        << v.id;
  }
}

}  // namespace
}  // namespace batholith
