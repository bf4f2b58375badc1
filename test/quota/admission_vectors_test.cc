#include <gtest/gtest.h>

#include "quota/admission.h"
#include "quota/pod_admission.h"
#include "test/quota/quota_bench.h"

// Whether a pod gets room in its quota, by the vectors.
namespace batholith {
namespace {

class AdmissionVectors : public QuotaVectorTest {};

using Why = QuotaVerdict::Why;

QuotaOptions StrictWith(const YAML::Node& gb_per_gpu) {
  QuotaOptions options = QuotaOptions::Defaults(true);
  if (gb_per_gpu) options.gb_per_gpu = gb_per_gpu.as<std::int64_t>();
  return options;
}

// One quota `ns` of a flat dialect, with what is used of it.
QuotaBench OneQuota(std::string_view group, const YAML::Node& in) {
  ClusterObjects objects;
  objects.elastic_quotas = {QuotaIn(group, "ns", "quota")};
  objects.elastic_quotas[0].min = OptionalAmountsOf(in["min"]);
  objects.elastic_quotas[0].max = OptionalAmountsOf(in["max"]);
  QuotaOptions options = StrictWith(in["gb_per_gpu"]);
  for (QuotaPolicy& policy : options.policies) policy.parent_check = false;
  return QuotaBench(std::move(objects), {}, options);
}

TEST_F(AdmissionVectors, what_specs_mean) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "normalize")) {
    QuotaBench bench = OneQuota(kSchedulerPluginsGroup, v.inputs["spec"]);
    const ResourceList max = bench.List(bench.node("ns").max_limits);
    for (const auto& entry : v.expected["max"]) {
      const auto name = entry.first.as<std::string>();
      if (TextOf(entry.second) == "unlimited") {
        EXPECT_FALSE(max.contains(name)) << v.id << " " << name;
      } else {
        EXPECT_EQ(max.at(name), AmountsOf(v.expected["max"]).at(name)) << v.id << " " << name;
      }
    }
    EXPECT_EQ(bench.List(bench.node("ns").min.values()), NonZero(v.expected["min"])) << v.id;
  }
}

TEST_F(AdmissionVectors, over_min) {
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "used_over_min_with")) {
    QuotaBench bench = OneQuota(kSchedulerPluginsGroup, v.inputs);
    EXPECT_EQ(bench.forest().OverMin(bench.At("ns"), bench.Units(v.inputs["used"]),
                                     bench.Units(v.inputs["request"])),
              v.expected["over"].as<bool>())
        << v.id;
  }
  for (const QuotaVector& v : LoadQuotaVectors("capacity", "used_over_min")) {
    QuotaBench bench = OneQuota(kSchedulerPluginsGroup, v.inputs);
    const ResourceVector used = bench.Units(v.inputs["used"]);
    const QuotaNode& node = bench.node("ns");
    EXPECT_EQ(bench.forest().OverMinIn(bench.At("ns"), used,
                                       node.compare.Looked(used, node.min.present())),
              v.expected["over"].as<bool>())
        << v.id;
  }
}

TEST_F(AdmissionVectors, over_max) {
  for (const auto& [system, group] :
       {std::pair("capacity", kSchedulerPluginsGroup), std::pair("nos", kNosGroup)}) {
    for (const QuotaVector& v : LoadQuotaVectors(system, "used_over_max_with")) {
      QuotaBench bench = OneQuota(group, v.inputs);
      bench.Use("ns", v.inputs["used"]);
      const QuotaVerdict verdict =
          AdmitToQuota(bench.forest(), bench.At("ns"), bench.Weight(v.inputs["request"]), false);
      EXPECT_EQ(verdict.why == Why::kMax, v.expected["over"].as<bool>()) << v.id;
    }
  }
}

TEST_F(AdmissionVectors, within_a_bound) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "used_lte_with")) {
    QuotaBench bench{ClusterObjects()};
    const QuotaList bound = QuotaList::From(bench.schema(), AmountsOf(v.inputs["bound"]));
    const ResourceVector sum = bench.Units(v.inputs["used"]) + bench.Units(v.inputs["request"]);
    const CompareRule rule = CompareRule::Of(QuotaDialect::kNos, true, bench.schema());
    EXPECT_EQ(FirstAbove(sum, bound, rule.Looked(sum, bound.present()), rule.dimensions) < 0,
              v.expected["lte"].as<bool>())
        << v.id;
  }
}

TEST_F(AdmissionVectors, all_together_over_min) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "aggregated_over_min_with")) {
    QuotaBench bench(FlatQuotas(kNosGroup, v.inputs["quotas"]));
    bench.UseAll(v.inputs["quotas"]);
    const QuotaVerdict verdict =
        AdmitToQuota(bench.forest(), bench.At("eq-1"), bench.Weight(v.inputs["request"]), false);
    EXPECT_EQ(verdict.why == Why::kAggregated, v.expected["over"].as<bool>()) << v.id;
  }
}

TEST_F(AdmissionVectors, pods_come_and_go) {
  for (const auto& [system, group] :
       {std::pair("capacity", kSchedulerPluginsGroup), std::pair("nos", kNosGroup)}) {
    for (const QuotaVector& v : LoadQuotaVectors(system, "reserve")) {
      QuotaBench bench = OneQuota(group, v.inputs);
      bench.Use("ns", v.inputs["used"]);
      const auto charge = [&](const YAML::Node& pods, int sign) {
        for (const YAML::Node& pod : pods) {
          bench.forest().Charge(bench.At("ns"), bench.Pod(bench.At("ns"), pod),
                                QuotaHold::kAssigned, sign);
        }
      };
      charge(v.inputs["add"], 1);
      charge(v.inputs["remove"], -1);
      EXPECT_EQ(bench.List(bench.node("ns").assigned), NonZero(v.expected["used"])) << v.id;
    }
  }
}

// The verdict on a pod of a flat dialect, with what others have reserved.
QuotaVerdict Judge(QuotaBench& bench, const YAML::Node& in) {
  bench.UseAll(in["quotas"]);
  for (const YAML::Node& pod : in["nominated"]) {
    const QuotaIndex q = bench.forest().QuotaOf(PodIn(TextOf(pod["namespace"])));
    if (q.is_none()) continue;
    bench.forest().Charge(q, bench.Pod(q, pod["request"], pod["priority"].as<std::int32_t>()),
                          QuotaHold::kInflight, 1);
  }
  const QuotaIndex q = bench.forest().QuotaOf(PodIn(TextOf(in["pod"]["namespace"])));
  if (q.is_none()) return {};
  const std::int32_t priority = in["pod"]["priority"] ? in["pod"]["priority"].as<int>() : 0;
  return AdmitToQuota(bench.forest(), q, bench.Pod(q, in["pod"]["request"], priority), false);
}

TEST_F(AdmissionVectors, flat_quotas) {
  for (const auto& [system, group] :
       {std::pair("capacity", kSchedulerPluginsGroup), std::pair("nos", kNosGroup)}) {
    for (const QuotaVector& v : LoadQuotaVectors(system, "prefilter")) {
      QuotaBench bench(FlatQuotas(group, v.inputs["quotas"]), {},
                       StrictWith(v.inputs["gb_per_gpu"]));
      const QuotaVerdict verdict = Judge(bench, v.inputs);
      EXPECT_EQ(verdict.ok(), TextOf(v.expected["status"]) == "Success") << v.id;
      const std::string reason = TextOf(v.expected["reason"]);
      if (verdict.ok() || reason.empty()) continue;
      EXPECT_EQ(verdict.why, reason == "max" ? Why::kMax : Why::kAggregated) << v.id;
    }
  }
}

// A thousand thousand of each: more than any vector has.
ResourceList Plenty(const YAML::Node& keys) {
  ResourceList out;
  for (const YAML::Node& key : keys) {
    const auto name = key.as<std::string>();
    out[name] = 1'000'000 * ResourceScale(name);
  }
  return out;
}

// A quota whose runtime is what the vector says: it is alone, asks for more than there is, and
// there is as much.
QuotaBench WithRuntime(const YAML::Node& in) {
  ClusterObjects objects;
  objects.elastic_quotas = {KoordinatorQuota("q")};
  objects.elastic_quotas[0].min = OptionalAmountsOf(in["min"]);
  objects.elastic_quotas[0].max = in["max"] ? AmountsOf(in["max"]) : Plenty(in["max_keys"]);
  QuotaOptions options = QuotaOptions::Defaults(true);
  if (in["enable_runtime_quota"] && !in["enable_runtime_quota"].as<bool>()) {
    options.use_runtime = false;
    options.policy(QuotaDialect::kKoordinator).limit = QuotaPolicy::Limit::kMax;
  }
  return QuotaBench(std::move(objects), AmountsOf(in["runtime"]), options);
}

TEST_F(AdmissionVectors, koordinator) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "prefilter")) {
    QuotaBench bench = WithRuntime(v.inputs);
    const QuotaIndex q = bench.At("q");
    const ResourceVector plenty = bench.Units(Plenty(v.inputs["max_keys"]));
    bench.forest().Ask(q, {plenty, 0, true});
    if (bench.forest().options().use_runtime) {
      EXPECT_EQ(NonZero(bench.List(bench.forest().LimitOf(q))), NonZero(v.inputs["runtime"]))
          << v.id;
    }
    const QuotaPod fixed = bench.Weight(v.inputs["non_preemptible_used"], false);
    QuotaPod others = bench.Weight(v.inputs["used"]);
    others.request -= fixed.request;
    bench.forest().Charge(q, others, QuotaHold::kAssigned, 1);
    bench.forest().Charge(q, fixed, QuotaHold::kAssigned, 1);
    const QuotaVerdict verdict = AdmitToQuota(
        bench.forest(), q, bench.Weight(v.inputs["pod"], !v.inputs["non_preemptible"]), false);
    EXPECT_EQ(verdict.ok(), TextOf(v.expected["status"]) == "Success") << v.id;
    if (verdict.ok()) continue;
    EXPECT_EQ(bench.schema().name(verdict.dimension), TextOf(v.expected["exceeded"][0])) << v.id;
    EXPECT_EQ(verdict.why, TextOf(v.expected["reason"]) == "non-preemptible" ? Why::kNonPreemptible
                                                                             : Why::kRuntime)
        << v.id;
  }
}

// The child's runtime is its min, which nobody scales down to its parent's.
TEST_F(AdmissionVectors, parents) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "parent_check")) {
    const YAML::Node path = v.inputs["path"];
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota(TextOf(path[1]["name"]), "", true),
                              KoordinatorQuota(TextOf(path[0]["name"]), TextOf(path[1]["name"]))};
    YAML::Node keys;
    for (const auto& entry : path[0]["runtime"]) keys.push_back(entry.first);
    for (ElasticQuotaRecord& quota : objects.elastic_quotas) quota.max = Plenty(keys);
    objects.elastic_quotas[1].min = AmountsOf(path[0]["runtime"]);
    QuotaOptions options = QuotaOptions::Defaults(true);
    options.check_parent = true;
    options.scale_min = false;
    QuotaBench bench(std::move(objects), AmountsOf(path[1]["runtime"]), options);
    const QuotaIndex q = bench.At(TextOf(path[0]["name"]));
    bench.forest().Ask(q, {bench.Units(Plenty(keys)), 0, true});
    for (const YAML::Node& quota : path) {
      EXPECT_EQ(bench.List(bench.forest().LimitOf(bench.At(TextOf(quota["name"])))),
                AmountsOf(quota["runtime"]))
          << v.id;
    }
    const QuotaVerdict verdict =
        AdmitToQuota(bench.forest(), q, bench.Weight(v.inputs["pod"]), false);
    EXPECT_EQ(verdict.at, bench.At(TextOf(v.expected["at"]))) << v.id;
    EXPECT_EQ(bench.schema().name(verdict.dimension), TextOf(v.expected["exceeded"][0])) << v.id;
    EXPECT_EQ(verdict.why, Why::kRuntime) << v.id;
  }
}

TEST_F(AdmissionVectors, what_limits) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "used_limit")) {
    QuotaBench bench = WithRuntime(v.inputs);
    bench.forest().Ask(bench.At("q"), bench.Weight(v.inputs["max"]));
    EXPECT_EQ(bench.List(bench.forest().LimitOf(bench.At("q"))), AmountsOf(v.expected["limit"]))
        << v.id;
  }
}

TEST_F(AdmissionVectors, use_of_one_pod_more_or_less) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "reserve_used")) {
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota("q")};
    objects.elastic_quotas[0].max = Plenty(v.inputs["max_keys"]);
    QuotaBench bench(std::move(objects));
    bench.Use("q", v.inputs["used"]);
    bench.Use("q", v.inputs["pod"]);
    EXPECT_EQ(bench.List(bench.node("q").assigned), NonZero(v.expected["used"])) << v.id;
  }
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "postfilter_used")) {
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota("another")};
    QuotaBench bench(std::move(objects));
    const QuotaIndex q = bench.forest().QuotaOf(PodIn("ns", "unknown"));
    EXPECT_EQ(q, bench.At(kDefaultQuota)) << v.id;
    bench.Use(kDefaultQuota, v.inputs["used"]);
    bench.forest().Charge(q, bench.Weight(v.inputs["pod"]), QuotaHold::kAssigned,
                          TextOf(v.inputs["op"]) == "add" ? 1 : -1);
    EXPECT_EQ(bench.List(bench.node(kDefaultQuota).assigned), NonZero(v.expected["used"])) << v.id;
  }
}

// A label that names a quota which is nowhere counts for nothing; the one that the lookup of
// upstream gives back as it stands is there.
TEST_F(AdmissionVectors, which_quota) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "quota_name")) {
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota("another")};
    const std::string expected = TextOf(v.expected["quota"]);
    const std::string label = TextOf(v.inputs["pod_quota_label"]);
    if (label == expected) objects.elastic_quotas.push_back(KoordinatorQuota(label));
    for (const YAML::Node& in : v.inputs["quotas"]) {
      ElasticQuotaRecord& quota =
          objects.elastic_quotas.emplace_back(KoordinatorQuota(TextOf(in["name"])));
      quota.meta.namespace_ = TextOf(in["namespace"]);
      if (in["namespaces"]) quota.namespaces = in["namespaces"].as<std::vector<std::string>>();
    }
    QuotaOptions options = QuotaOptions::Defaults(true);
    options.bind_namespace = false;
    QuotaBench bench(std::move(objects), {}, options);
    const QuotaIndex q = bench.forest().QuotaOf(PodIn(TextOf(v.inputs["pod_namespace"]), label));
    ASSERT_FALSE(q.is_none()) << v.id;
    EXPECT_TRUE(bench.forest().node(q).name.ends_with("/" + expected)) << v.id;
  }
}

// --- the webhook of pods ---

ElasticQuotaRecord WithChildRequest(const YAML::Node& in, const char* field = "child_request") {
  ElasticQuotaRecord quota = KoordinatorQuota("q");
  quota.max = OptionalAmountsOf(in["max"]);
  quota.admission = OptionalAmountsOf(in["admission"]);
  quota.child_request = OptionalAmountsOf(in[field]);
  return quota;
}

TEST_F(AdmissionVectors, the_webhook_of_pods) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "quota_admission")) {
    const ElasticQuotaRecord quota = WithChildRequest(v.inputs);
    PodAdmission answer{true, {}, *quota.child_request};
    if (TextOf(v.inputs["operation"]) != "DELETE")  // which asks nobody
      answer = AdmitPod(quota, AmountsOf(v.inputs["pod"]));
    EXPECT_EQ(answer.admitted, v.expected["admit"].as<bool>()) << v.id;
    const YAML::Node exceeded = v.expected["exceeded"];
    EXPECT_EQ(answer.exceeded,
              exceeded ? exceeded.as<std::vector<std::string>>() : std::vector<std::string>())
        << v.id;
    const YAML::Node charged = v.expected[answer.admitted ? "child_request" : "none"];
    EXPECT_EQ(answer.child_request, charged ? AmountsOf(charged) : *quota.child_request) << v.id;
  }
}

TEST_F(AdmissionVectors, the_webhook_of_pods_again_and_again) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "quota_admission_sequence")) {
    ElasticQuotaRecord quota = WithChildRequest(v.inputs);
    std::vector<bool> admitted;
    for (const YAML::Node& pod : v.inputs["pods"]) {
      const PodAdmission answer = AdmitPod(quota, AmountsOf(pod));
      admitted.push_back(answer.admitted);
      quota.child_request = answer.child_request;
    }
    EXPECT_EQ(admitted, v.expected["admit"].as<std::vector<bool>>()) << v.id;
    EXPECT_EQ(quota.child_request, AmountsOf(v.expected["child_request"])) << v.id;
  }
  // After a write conflict the whole batch is asked for again.
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "quota_admission_retry")) {
    ElasticQuotaRecord quota = WithChildRequest(v.inputs, "reread_child_request");
    bool all = true;
    for (const YAML::Node& pod : v.inputs["batch"]) {
      const PodAdmission answer = AdmitPod(quota, AmountsOf(pod));
      all = all && answer.admitted;
      quota.child_request = answer.child_request;
    }
    EXPECT_EQ(all, v.expected["all_admitted"].as<bool>()) << v.id;
  }
}

}  // namespace
}  // namespace batholith
