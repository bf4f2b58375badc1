#include <gtest/gtest.h>

#include <tuple>

#include "cache/snapshot_builder.h"
#include "framework/disruption_budgets.h"
#include "quota/overuse_clock.h"
#include "quota/revoke.h"
#include "quota/victims.h"
#include "test/codec/decode_env.h"
#include "test/quota/quota_cluster.h"

// Koordinator: which pods are victims at all, which leave because their quota is over its runtime,
// and whom budgets protect, by the vectors.
namespace batholith {
namespace {

class RevokeVectors : public QuotaVectorTest {};

TEST_F(RevokeVectors, who_leaves) {
  const ResourceSchema schema;
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "revoke")) {
    struct Row {
      int priority;
      int earlier;
      std::string name;
      QuotaPod weight;
    };
    std::vector<Row> rows;
    for (const YAML::Node& pod : v.inputs["pods"]) {
      const auto is = [&](const char* what) { return !pod[what] || pod[what].as<bool>(); };
      if (!is("assigned") || !is("preemptible")) continue;
      rows.push_back({pod["priority"].as<int>(),
                      pod["start"] ? -pod["start"].as<int>() : 0,
                      TextOf(pod["name"]),
                      {QuotaList::From(schema, AmountsOf(pod["request"])).values(), 0, true}});
    }
    std::ranges::sort(rows, [](const Row& a, const Row& b) {
      return std::tie(a.priority, a.earlier) < std::tie(b.priority, b.earlier);
    });
    std::vector<const QuotaPod*> pods;
    for (const Row& row : rows) pods.push_back(&row.weight);
    const QuotaList runtime = QuotaList::From(schema, AmountsOf(v.inputs["runtime"]));
    ResourceLimits limit;
    for (std::size_t r = 0; r < schema.size(); ++r) {
      if (runtime.Has(r)) limit[r] = runtime[r];
    }
    std::vector<std::string> evicted;
    for (const std::size_t i :
         PlanRevocation(QuotaList::From(schema, AmountsOf(v.inputs["used"])).values(), limit,
                        runtime.present(), schema.size(), pods))
      evicted.push_back(rows[i].name);
    EXPECT_EQ(evicted, v.expected["evict"].as<std::vector<std::string>>()) << v.id;
  }
}

// Each step is a session: what the clock knows of earlier ones is the mark on the object.
TEST_F(RevokeVectors, when_they_leave) {
  constexpr TimeNs kSecond = 1'000'000'000;
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "revoke_timer")) {
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota("q")};
    objects.elastic_quotas[0].max = ResourceList{{"cpu", 1000}};
    TimeNs now = kDefaultNow;
    for (std::size_t i = 0; i < v.inputs["steps"].size(); ++i) {
      const YAML::Node step = v.inputs["steps"][i];
      now += (step["elapsed_s"] ? step["elapsed_s"].as<TimeNs>() : 0) * kSecond;
      QuotaOptions options = QuotaOptions::Defaults(true);
      options.delay_evict_ns = step["delay_s"].as<TimeNs>() * kSecond;
      QuotaBench bench(objects, {}, options);
      if (step["used_over"].as<bool>()) bench.Use("q", YAML::Load("{cpu: '1'}"));
      OveruseClock clock(bench.forest());
      EXPECT_EQ(clock.IsDue(bench.At("q"), now), v.expected["fires"][i].as<bool>())
          << v.id << " step " << i;
      CycleResult result;
      clock.ReportMarks(now, result);
      for (const QuotaMark& mark : result.marks) {
        objects.elastic_quotas[0].meta.annotations[std::string(kOverSinceAnnotation)] =
            std::to_string(mark.over_since);
      }
    }
  }
}

TEST_F(RevokeVectors, who_may_be_a_victim) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "can_preempt")) {
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota("q1"), KoordinatorQuota("q2")};
    const QuotaBench bench(std::move(objects));
    const auto pod = [&](const YAML::Node& in) {
      return QuotaPod{{}, in["priority"].as<std::int32_t>(), !in["non_preemptible"]};
    };
    const QuotaPod preemptor = pod(v.inputs["preemptor"]);
    const QuotaPod victim = pod(v.inputs["victim"]);
    QuotaVictimWalk walk(bench.forest(), bench.At(TextOf(v.inputs["preemptor"]["quota"])),
                         preemptor, 0);
    EXPECT_EQ(walk.Take({bench.At(TextOf(v.inputs["victim"]["quota"])), &victim, false}),
              v.expected["allowed"].as<bool>())
        << v.id;
  }
}

LabelSelector SelectorOf(const YAML::Node& labels) {
  LabelSelector out;
  for (const auto& entry : labels) {
    out.requirements.push_back(
        {entry.first.as<std::string>(), Requirement::Op::kIn, {entry.second.as<std::string>()}});
  }
  return out;
}

TEST_F(RevokeVectors, whom_budgets_protect) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "pdb_split")) {
    QuotaCluster cluster;
    cluster.objects.queues.emplace_back().meta.name = "default";
    for (const YAML::Node& in : v.inputs["pods"]) {
      cluster.AddPod(TextOf(in["namespace"]), TextOf(in["name"]), {}, 0).meta.labels =
          in["labels"].as<Labels>();
    }
    for (const YAML::Node& in : v.inputs["pdbs"]) {
      if (in["invalid_selector"]) {
        // A budget that cannot be read is refused whole.
        const Loaded loaded = Decode(
            "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: ns},"
            " spec: {selector: {matchExpressions: [{key: app, operator: Like, values: [a]}]}}}");
        EXPECT_EQ(loaded.refused.size(), 1U) << v.id;
        cluster.objects.disruption_budgets = loaded.objects.disruption_budgets;
        continue;
      }
      PodDisruptionBudgetRecord& budget = cluster.objects.disruption_budgets.emplace_back();
      budget.meta.namespace_ = TextOf(in["namespace"]);
      budget.selector = SelectorOf(in["selector"]);
      budget.disruptions_allowed = in["allowed"].as<std::int32_t>();
      if (in["disrupted"]) budget.disrupted_pods = in["disrupted"].as<std::vector<std::string>>();
    }
    const auto snapshot =
        BuildSnapshot(std::make_shared<const ClusterObjects>(cluster.objects), {});
    std::vector<TaskIndex> tasks;
    for (std::size_t t = 0; t < snapshot->tasks.size(); ++t) tasks.emplace_back(t);
    const std::size_t count =
        DisruptionBudgets(*snapshot->objects).ViolatingFirst(*snapshot, tasks);
    std::vector<std::string> violating;
    std::vector<std::string> others;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      (i < count ? violating : others).push_back(snapshot->task(tasks[i]).record->meta.name);
    EXPECT_EQ(violating, v.expected["violating"].as<std::vector<std::string>>()) << v.id;
    EXPECT_EQ(others, v.expected["non_violating"].as<std::vector<std::string>>()) << v.id;
  }
}

}  // namespace
}  // namespace batholith
