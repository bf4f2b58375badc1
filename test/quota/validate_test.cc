#include "quota/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/quota/quota_env.h"

namespace batholith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> AllOf(const std::vector<ElasticQuotaRecord>& quotas) {
  ClusterObjects objects;
  objects.elastic_quotas = quotas;
  return TextsOf(ValidateQuotas(QuotaWorld(objects, {})));
}

TEST(Validate, each_problem_names_object_field_and_amounts) {
  ElasticQuotaRecord quota = QuotaIn(kSchedulerPluginsGroup, "a", "q");
  quota.min = ResourceList{{"cpu", 6000}, {"memory", -1}, {"x.y/z", 1000}};
  quota.max = ResourceList{{"cpu", 4500}, {"memory", 0}};
  EXPECT_THAT(AllOf({quota}),
              ElementsAre("ElasticQuota.scheduling.x-k8s.io/a/q: spec.min.memory: must not be "
                          "negative, is -1",
                          "ElasticQuota.scheduling.x-k8s.io/a/q: spec.min.cpu: 6 is more than "
                          "max, 4500m"));
}

TEST(Validate, a_namespace_has_one_quota_of_a_family_and_the_later_one_is_told) {
  ElasticQuotaRecord late = QuotaIn(kSchedulerPluginsGroup, "a", "late");
  late.meta.creation = 2;
  ElasticQuotaRecord early = QuotaIn(kSchedulerPluginsGroup, "a", "zzz");
  early.meta.creation = 1;
  EXPECT_THAT(AllOf({late, early}),
              ElementsAre("ElasticQuota.scheduling.x-k8s.io/a/late: metadata.namespace: namespace "
                          "a is that of ElasticQuota.scheduling.x-k8s.io/a/zzz already"));
  // Between families there is an order, so that it is said but not refused.
  EXPECT_THAT(AllOf({QuotaIn(kSchedulerPluginsGroup, "a", "x"), QuotaIn(kNosGroup, "a", "y")}),
              ElementsAre("warning: ElasticQuota.nos.nebuly.com/a/y: metadata.namespace: namespace "
                          "a is that of ElasticQuota.scheduling.x-k8s.io/a/x already"));
  // Both groups of nos are one family.
  EXPECT_THAT(AllOf({QuotaIn(kNosGroup, "a", "x"), QuotaIn(kOldNosGroup, "a", "y")}),
              ElementsAre(HasSubstr("namespace a is that of ElasticQuota.nos.nebuly.com/a/x")));
}

TEST(Validate, composites_name_their_namespaces_and_take_nobodys) {
  EXPECT_THAT(AllOf({Composite("c", {})}),
              ElementsAre(HasSubstr("spec.namespaces: must name at least one namespace")));
  EXPECT_THAT(AllOf({Composite("c", {"a", "a", "b"})}), IsEmpty());
  ClusterObjects objects;
  objects.elastic_quotas = {QuotaIn(kNosGroup, "a", "q"), Composite("c", {"b"})};
  const ElasticQuotaRecord old = objects.elastic_quotas[1];
  ElasticQuotaRecord wide = old;
  wide.namespaces = {"a", "b"};
  const auto update = [&](QuotaRules rules) {
    return TextsOf(ValidateQuotaUpdate(QuotaWorld(objects, rules), old, wide));
  };
  EXPECT_THAT(update({}), ElementsAre("CompositeElasticQuota.nos.nebuly.com/anywhere/c: "
                                      "spec.namespaces: namespace a is that of "
                                      "ElasticQuota.nos.nebuly.com/a/q already"));
  EXPECT_THAT(update({.strict = true}), ElementsAre(HasSubstr("warning: ")));
}

TEST(Validate, an_update_of_nothing_that_is_judged_passes) {
  ClusterObjects objects;
  ElasticQuotaRecord& bad = objects.elastic_quotas.emplace_back(KoordinatorQuota("q", "nobody"));
  bad.min = ResourceList{{"cpu", 1000}};
  const QuotaWorld world(objects, {});
  ElasticQuotaRecord update = bad;
  update.meta.labels["team"] = "x";
  update.status_used = {{"cpu", 1}};
  EXPECT_THAT(TextsOf(ValidateQuotaUpdate(world, bad, update)), IsEmpty());
  update.min = ResourceList{{"cpu", 2000}};
  EXPECT_THAT(TextsOf(ValidateQuotaUpdate(world, bad, update)),
              ElementsAre(HasSubstr("spec.min.cpu: is not listed in spec.max"),
                          HasSubstr("/parent: nobody does not exist")));
}

TEST(Validate, a_sum_is_told_once_and_of_the_parent) {
  std::vector<ElasticQuotaRecord> quotas{KoordinatorQuota("top", "", true),
                                         KoordinatorQuota("a", "top"),
                                         KoordinatorQuota("b", "top")};
  for (ElasticQuotaRecord& quota : quotas) {
    quota.max = ResourceList{{"cpu", 9000}};
    quota.min = ResourceList{{"cpu", 3000}};
  }
  EXPECT_THAT(AllOf(quotas),
              ElementsAre("ElasticQuota.scheduling.sigs.k8s.io/quotas/top: spec.min.cpu: the "
                          "children of top are promised 6 together, it itself only 3"));
  for (ElasticQuotaRecord& quota : quotas) quota.allow_force_update = true;
  EXPECT_THAT(AllOf(quotas), IsEmpty());
}

TEST(Validate, names_are_unique_over_namespaces_and_a_shadowed_quota_is_nobodys_child) {
  ElasticQuotaRecord twin = KoordinatorQuota("a", "top");
  twin.meta.namespace_ = "zoo";
  twin.min = twin.max = ResourceList{{"cpu", 9000}};
  ElasticQuotaRecord top = KoordinatorQuota("top", "", true);
  ElasticQuotaRecord first = KoordinatorQuota("a", "top");
  top.max = first.max = twin.max;
  top.min = first.min = ResourceList{{"cpu", 1000}};
  EXPECT_THAT(AllOf({top, first, twin}),
              ElementsAre("ElasticQuota.scheduling.sigs.k8s.io/zoo/a: metadata.name: is that of "
                          "ElasticQuota.scheduling.sigs.k8s.io/quotas/a already; names are unique "
                          "over all namespaces"));
}

TEST(Validate, no_quota_stands_below_itself) {
  EXPECT_THAT(AllOf({KoordinatorQuota("a", "b", true), KoordinatorQuota("b", "a", true)}),
              ElementsAre(HasSubstr("/parent: b stands below the quota itself"),
                          HasSubstr("/parent: a stands below the quota itself")));
  EXPECT_THAT(AllOf({KoordinatorQuota("a", "a", true)}),
              ElementsAre(HasSubstr("/parent: a stands below the quota itself")));
  // Below a cycle, but not in it.
  EXPECT_EQ(AllOf({KoordinatorQuota("a", "b", true), KoordinatorQuota("b", "a", true),
                   KoordinatorQuota("c", "a")})
                .size(),
            2U);
}

TEST(Validate, a_group_can_belong_to_scheduler_plugins) {
  ClusterObjects objects;
  objects.elastic_quotas = {KoordinatorQuota("q", "nobody"),
                            QuotaIn(kSchedulerPluginsGroup, "quotas", "p")};
  EXPECT_THAT(TextsOf(ValidateQuotas(QuotaWorld(objects, {.legacy_sigs = true}))),
              ElementsAre(HasSubstr("namespace quotas is that of")));
}

TEST(Validate, pods_do_not_use_parents_and_stay_as_preemptible_as_they_are) {
  ClusterObjects objects;
  objects.elastic_quotas = {KoordinatorQuota("top", "", true), KoordinatorQuota("leaf", "top"),
                            KoordinatorQuota("lister", "", true)};
  objects.elastic_quotas[2].namespaces = {"listed"};
  const QuotaWorld world(objects, {});
  EXPECT_FALSE(Admits(ValidateQuotaPod(world, PodIn("x", "top"))));
  EXPECT_FALSE(Admits(ValidateQuotaPod(world, PodIn("listed"))));
  EXPECT_TRUE(Admits(ValidateQuotaPod(world, PodIn("listed", "leaf"))));
  EXPECT_TRUE(Admits(ValidateQuotaPod(world, PodIn("top"))));  // lives elsewhere than its namesake
  EXPECT_TRUE(
      Admits(ValidateQuotaPod(QuotaWorld(objects, {.parents_run_pods = true}), PodIn("x", "top"))));
  PodRecord pod = PodIn("x", "top");
  pod.quota_preemptible = false;
  EXPECT_THAT(TextsOf(ValidateQuotaPodUpdate(world, PodIn("x", "top"), pod)),
              ElementsAre("Pod/x/p: metadata.labels.quota.scheduling.koordinator.sh/preemptible: "
                          "cannot change"));
}

TEST(Validate, promises_beyond_the_cluster_are_a_warning) {
  ClusterObjects objects;
  objects.elastic_quotas = {QuotaIn(kSchedulerPluginsGroup, "a", "q"), QuotaIn(kNosGroup, "b", "q"),
                            KoordinatorQuota("t")};
  for (ElasticQuotaRecord& quota : objects.elastic_quotas) {
    quota.min =
        ResourceList{{"cpu", 3000}, {"nvidia.com/gpu", 1000}, {"nos.nebuly.com/gpu-memory", 9000}};
  }
  EXPECT_THAT(TextsOf(CheckPromises(QuotaWorld(objects, {}), {{"cpu", 6000}})),
              ElementsAre("warning: quotas without a tree: spec.min.nvidia.com/gpu: 2 is promised, "
                          "the cluster has 0"));
}

}  // namespace
}  // namespace batholith
