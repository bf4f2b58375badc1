#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A quota `team-a/q` of Koordinator; `labels` and `annotations` in flow style, without the braces,
// `$` for the prefix of the keys.
std::string Koordinator(std::string labels, std::string annotations = "") {
  std::string text =
      "{apiVersion: scheduling.sigs.k8s.io/v1alpha1, kind: ElasticQuota, metadata: {name: q, "
      "namespace: team-a, labels: {" +
      labels + "}, annotations: {" + annotations + "}}}\n";
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at))
    text.replace(at, 1, "quota.scheduling.koordinator.sh/");
  return text;
}

TEST(ElasticQuota, each_group_has_its_dialect) {
  struct Row {
    std::string group;
    std::string kind;
    QuotaDialect dialect;
  };
  const std::vector<Row> rows{
      {"scheduling.x-k8s.io", "ElasticQuota", QuotaDialect::kSchedulerPlugins},
      {"scheduling.sigs.k8s.io", "ElasticQuota", QuotaDialect::kKoordinator},
      {"nos.nebuly.com", "ElasticQuota", QuotaDialect::kNos},
      {"n8s.nebuly.ai", "ElasticQuota", QuotaDialect::kNos},
      {"nos.nebuly.com", "CompositeElasticQuota", QuotaDialect::kNos},
      {"n8s.nebuly.ai", "CompositeElasticQuota", QuotaDialect::kNos},
  };
  std::string text;
  for (const Row& row : rows) {
    text += "---\n{apiVersion: " + row.group + "/v1alpha1, kind: " + row.kind +
            ", metadata: {name: same, namespace: team-a}, spec: {namespaces: [a, b], "
            "min: {cpu: 500m, memory: 1Ki, nvidia.com/gpu: 2}, max: {}}, "
            "status: {used: {cpu: 1}}}\n";
  }
  // All of them have one name, and none is the same object as another.
  const Loaded loaded = Decode(text);
  ASSERT_EQ(loaded.objects.elastic_quotas.size(), rows.size()) << JoinedLines(loaded.refused);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ElasticQuotaRecord& quota = loaded.objects.elastic_quotas[i];
    EXPECT_EQ(quota.Identity(), rows[i].kind + "." + rows[i].group + "/team-a/same");
    EXPECT_EQ(quota.dialect, rows[i].dialect) << quota.Identity();
    EXPECT_EQ(quota.min, (ResourceList{{"cpu", 500}, {"memory", 1024}, {"nvidia.com/gpu", 2000}}));
    EXPECT_EQ(quota.max, ResourceList{});
    EXPECT_EQ(quota.status_used, (ResourceList{{"cpu", 1000}}));
    EXPECT_EQ(quota.namespaces.size(), quota.IsComposite() ? 2U : 0U);
  }
}

TEST(ElasticQuota, absent_bounds_are_not_empty_ones_and_no_limit_is_the_largest_amount) {
  // 1844674407370955161 cpus are what Koordinator writes for no limit: times 1000 no 64 bits hold
  // it.
  const Loaded loaded = Decode(R"(
apiVersion: scheduling.sigs.k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: koordinator-default-quota, namespace: koordinator-system}
spec: {max: {cpu: "1844674407370955161", memory: "1844674407370955161", x.y/z: -1}}
)");
  ASSERT_EQ(loaded.objects.elastic_quotas.size(), 1U) << JoinedLines(loaded.refused);
  const ElasticQuotaRecord& quota = loaded.objects.elastic_quotas[0];
  EXPECT_FALSE(quota.min);
  EXPECT_EQ(
      quota.max,
      (ResourceList{{"cpu", INT64_MAX}, {"memory", 1'844'674'407'370'955'161}, {"x.y/z", -1000}}));
}

TEST(ElasticQuota, labels_and_annotations_of_koordinator) {
  const Loaded loaded = Decode(Koordinator(
      "$is-parent: 'true', $parent: top, $allow-lent-resource: 'false', $tree-id: t1, "
      "$is-root: 'true', $profile: pr, $ignore-default-tree: 'true', $allow-force-update: 'true'",
      R"($shared-weight: '{"cpu": 2, "memory": "1Ki"}', $namespaces: '["a","b"]',
         $total-resource: '{"cpu": "10"}', $unschedulable-resource: '{"cpu": "1"}',
         $admission: '{"cpu": 7}', $child-request: '{"cpu": "300m"}', $guaranteed: '{}',
         $max-strict-check-resource-keys: '["cpu"]')"));
  ASSERT_EQ(loaded.objects.elastic_quotas.size(), 1U) << JoinedLines(loaded.refused);
  EXPECT_TRUE(loaded.warnings.empty()) << JoinedLines(loaded.warnings);
  const ElasticQuotaRecord& quota = loaded.objects.elastic_quotas[0];
  EXPECT_TRUE(quota.is_parent && quota.is_root && quota.ignore_default_tree);
  EXPECT_TRUE(quota.allow_force_update);
  EXPECT_FALSE(quota.allow_lent);
  EXPECT_EQ(quota.parent, "top");
  EXPECT_EQ(quota.tree_id, "t1");
  EXPECT_EQ(quota.profile, "pr");
  EXPECT_EQ(quota.shared_weight, (ResourceList{{"cpu", 2000}, {"memory", 1024}}));
  EXPECT_THAT(quota.namespaces, ElementsAre("a", "b"));
  EXPECT_EQ(quota.total_resource, (ResourceList{{"cpu", 10000}}));
  EXPECT_EQ(quota.unschedulable_resource, (ResourceList{{"cpu", 1000}}));
  EXPECT_EQ(quota.admission, (ResourceList{{"cpu", 7000}}));
  EXPECT_EQ(quota.child_request, (ResourceList{{"cpu", 300}}));
  EXPECT_EQ(quota.guaranteed, ResourceList{});
  EXPECT_THAT(quota.max_strict_keys, ElementsAre("cpu"));
}

TEST(ElasticQuota, other_dialects_do_not_read_koordinators_keys) {
  const Loaded loaded = Decode(R"(
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata:
  name: q
  labels: {quota.scheduling.koordinator.sh/is-parent: "true"}
  annotations: {quota.scheduling.koordinator.sh/namespaces: "no JSON"}
)");
  ASSERT_EQ(loaded.objects.elastic_quotas.size(), 1U) << JoinedLines(loaded.refused);
  EXPECT_FALSE(loaded.objects.elastic_quotas[0].is_parent);
}

TEST(ElasticQuota, the_current_spelling_counts_and_a_difference_is_told) {
  struct Row {
    std::string labels;
    std::string parent;
    std::string warning;  // empty: none
  };
  const std::vector<Row> rows{
      {"", "", ""},
      {"$parent: koordinator-root-quota", "", ""},
      {"$parent: a", "a", ""},
      {"$parent-quota-name: b", "b", ""},
      {"$parent: a, $parent-quota-name: a", "a", ""},
      {"$parent: a, $parent-quota-name: b", "a", "parent-quota-name: \"b\" is not what the label"},
  };
  for (const Row& row : rows) {
    const Loaded loaded = Decode(Koordinator(row.labels));
    ASSERT_EQ(loaded.objects.elastic_quotas.size(), 1U) << JoinedLines(loaded.refused);
    EXPECT_EQ(loaded.objects.elastic_quotas[0].parent, row.parent) << row.labels;
    EXPECT_EQ(loaded.warnings.size(), row.warning.empty() ? 0U : 1U) << row.labels;
    EXPECT_THAT(JoinedLines(loaded.warnings), HasSubstr(row.warning));
  }
}

TEST(ElasticQuota, a_note_that_is_no_json_refuses_the_quota_but_a_bad_weight_is_max) {
  for (const std::string key : {"namespaces", "total-resource", "admission", "guaranteed",
                                "max-strict-check-resource-keys", "child-request"}) {
    const Loaded loaded = Decode(Koordinator("", "$" + key + ": '[1'"));
    ASSERT_EQ(loaded.refused.size(), 1U) << key;
    EXPECT_THAT(loaded.refused[0], HasSubstr("ElasticQuota team-a/q: metadata.annotations."
                                             "quota.scheduling.koordinator.sh/" +
                                             key + ": is not JSON: "));
  }
  EXPECT_THAT(JoinedLines(Decode(Koordinator("", "$namespaces: '[7]'")).refused),
              HasSubstr("koordinator.sh/namespaces[0]: must be a text"));
  for (const std::string weight : {"'{'", "'{\"cpu\": \"2c\"}'", "'[]'"}) {
    const Loaded loaded = Decode(Koordinator("", "$shared-weight: " + weight));
    ASSERT_EQ(loaded.objects.elastic_quotas.size(), 1U) << JoinedLines(loaded.refused);
    EXPECT_FALSE(loaded.objects.elastic_quotas[0].shared_weight);
    ASSERT_EQ(loaded.warnings.size(), 1U) << weight;
    EXPECT_THAT(loaded.warnings[0], HasSubstr("shared-weight"));
  }
}

TEST(ElasticQuota, one_that_stands_twice_is_refused) {
  const Loaded loaded = Decode(Koordinator("") + "---\n" + Koordinator(""));
  EXPECT_EQ(loaded.objects.elastic_quotas.size(), 1U);
  ASSERT_EQ(loaded.refused.size(), 1U);
  EXPECT_THAT(loaded.refused[0], HasSubstr("the same object is already defined in"));
}

TEST(ElasticQuota, a_pod_names_its_quota_in_either_spelling) {
  const auto pod = [](const std::string& name, const std::string& labels) {
    std::string text = "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", labels: {" +
                       labels + "}}}\n";
    for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at))
      text.replace(at, 1, "quota.scheduling.koordinator.sh/");
    return text;
  };
  const Loaded loaded =
      Decode(pod("a", "") + pod("b", "$name: x, $preemptible: 'false'") +
             pod("c", "$quota-name: y, $preemptible: 'no'") + pod("d", "$name: x, $quota-name: y") +
             pod("e", "$name: x, $quota-name: y"));
  ASSERT_EQ(loaded.objects.pods.size(), 5U) << JoinedLines(loaded.refused);
  std::vector<std::string> names;
  std::vector<bool> preemptible;
  for (const PodRecord& p : loaded.objects.pods) {
    names.push_back(p.quota_name);
    preemptible.push_back(p.quota_preemptible);
  }
  EXPECT_THAT(names, ElementsAre("", "x", "y", "x", "x"));
  EXPECT_THAT(preemptible, ElementsAre(true, false, true, true, true));
  ASSERT_EQ(loaded.warnings.size(), 1U);  // once for all pods that say the same
  EXPECT_THAT(loaded.warnings[0], HasSubstr("Pod default/d: metadata.labels."));
}

TEST(ElasticQuotaProfile, reads_what_makes_a_root_quota) {
  const Loaded loaded = Decode(R"(
apiVersion: quota.koordinator.sh/v1alpha1
kind: ElasticQuotaProfile
metadata:
  name: pool
  namespace: kube-system
  labels: {quota.scheduling.koordinator.sh/tree-id: t1}
  annotations: {quota.scheduling.koordinator.sh/resource-keys: '["cpu"]'}
spec:
  quotaName: pool-root
  nodeSelector: {matchLabels: {zone: a}}
  quotaLabels: {team: x}
  resourceRatio: "0.9"
---
apiVersion: quota.koordinator.sh/v1alpha1
kind: ElasticQuotaProfile
metadata: {name: plain}
spec: {quotaName: plain-root, nodeSelector: {}}
---
apiVersion: quota.koordinator.sh/v1alpha1
kind: ElasticQuotaProfile
metadata: {name: nameless}
spec: {nodeSelector: {}}
---
apiVersion: quota.koordinator.sh/v1alpha1
kind: ElasticQuotaProfile
metadata: {name: blind}
spec: {quotaName: x}
)");
  ASSERT_EQ(loaded.objects.quota_profiles.size(), 2U);
  const ElasticQuotaProfileRecord& pool = loaded.objects.quota_profiles[0];
  EXPECT_EQ(pool.quota_name, "pool-root");
  EXPECT_EQ(pool.node_selector.requirements,
            (std::vector<Requirement>{{"zone", Requirement::Op::kIn, {"a"}}}));
  EXPECT_EQ(pool.quota_labels, (Labels{{"team", "x"}}));
  EXPECT_EQ(pool.resource_ratio, "0.9");
  EXPECT_THAT(pool.resource_keys, ElementsAre("cpu"));
  EXPECT_EQ(pool.tree_id, "t1");
  const ElasticQuotaProfileRecord& plain = loaded.objects.quota_profiles[1];
  EXPECT_THAT(plain.resource_keys, ElementsAre("cpu", "memory"));
  EXPECT_EQ(plain.resource_ratio, "");
  ASSERT_EQ(loaded.refused.size(), 2U);
  EXPECT_THAT(loaded.refused[0], HasSubstr("spec.quotaName: is missing"));
  EXPECT_THAT(loaded.refused[1], HasSubstr("spec.nodeSelector: is missing"));
}

}  // namespace
}  // namespace batholith
