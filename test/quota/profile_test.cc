#include "quota/profile.h"

#include <gtest/gtest.h>

#include "test/quota/vectors.h"

namespace batholith {
namespace {

ElasticQuotaProfileRecord Profile(const std::string& zone) {
  ElasticQuotaProfileRecord profile;
  profile.meta.namespace_ = "kube-system";
  profile.meta.name = "profile1";
  profile.quota_name = "root";
  profile.node_selector.requirements = {{"zone", Requirement::Op::kIn, {zone}}};
  return profile;
}

NodeRecord Node(const std::string& zone, ResourceList allocatable) {
  NodeRecord node;
  node.meta.labels["zone"] = zone;
  node.allocatable = std::move(allocatable);
  return node;
}

TEST(Profile, vectors) {
  if (!HasQuotaVectors()) GTEST_SKIP() << "no folder with vectors beside the project";
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "profile")) {
    std::vector<NodeRecord> nodes;
    for (const YAML::Node& n : v.inputs["nodes"]) {
      nodes.push_back(Node(TextOf(n["zone"]), AmountsOf(n["allocatable"])));
      nodes.back().ready = n["ready"].as<bool>();
    }
    ElasticQuotaProfileRecord profile = Profile(TextOf(v.inputs["select_zone"]));
    profile.resource_ratio = TextOf(v.inputs["ratio"]);
    profile.tree_id = TextOf(v.inputs["tree_id"]);
    if (v.inputs["quota_labels"]) profile.quota_labels = v.inputs["quota_labels"].as<Labels>();
    if (v.inputs["resource_keys"])
      profile.resource_keys = v.inputs["resource_keys"].as<std::vector<std::string>>();
    ElasticQuotaRecord existing;
    if (v.inputs["existing"]) {
      existing.meta.labels = v.inputs["existing"]["labels"].as<Labels>();
      existing.min = AmountsOf(v.inputs["existing"]["min"]);
    }
    const ElasticQuotaRecord quota =
        RootQuotaOf(profile, nodes, v.inputs["existing"] ? &existing : nullptr);
    EXPECT_EQ(quota.min, AmountsOf(v.expected["min"])) << v.id;
    if (v.expected["total_resource"]) {
      EXPECT_EQ(quota.total_resource, AmountsOf(v.expected["total_resource"])) << v.id;
    }
    if (v.expected["unschedulable_resource"]) {
      EXPECT_EQ(quota.unschedulable_resource, AmountsOf(v.expected["unschedulable_resource"]))
          << v.id;
    }
    for (const auto& label : v.expected["labels"]) {
      const auto key = label.first.as<std::string>();
      ASSERT_TRUE(quota.meta.labels.contains(key)) << v.id << ": " << key;
      EXPECT_EQ(quota.meta.labels.at(key), label.second.as<std::string>()) << v.id << ": " << key;
    }
  }
}

TEST(Profile, vectors_of_ratios) {
  if (!HasQuotaVectors()) GTEST_SKIP() << "no folder with vectors beside the project";
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "multiply_quantity")) {
    const std::string resource = TextOf(v.inputs["resource"]);
    const auto amount = [&](const YAML::Node& text) {
      YAML::Node list;
      list[resource] = text;
      return AmountsOf(list).at(resource);
    };
    EXPECT_EQ(ScaleByRatio(amount(v.inputs["value"]), resource, TextOf(v.inputs["ratio"])),
              amount(v.expected["value"]))
        << v.id;
  }
}

TEST(Profile, ratios_are_exact_and_truncated_to_what_is_counted) {
  // 0.29 as a double is a little less: 100 times it would be 28.
  EXPECT_EQ(ScaleByRatio(100, "memory", "0.29"), 29);
  EXPECT_EQ(ScaleByRatio(10'001, "cpu", "0.5"), 5'000);
  // 9 GPUs times 0.5 are 4.
  EXPECT_EQ(ScaleByRatio(9'000, "nvidia.com/gpu", "0.5"), 4'000);
  EXPECT_EQ(ScaleByRatio(INT64_MAX, "memory", "1"), INT64_MAX);
  EXPECT_EQ(ScaleByRatio(INT64_MAX, "nvidia.com/gpu", "1"), INT64_MAX);
  for (const char* all : {"", "0", "-0.5", "1.1", "900m", "0,9", "nan", "inf", "0.5 "})
    EXPECT_EQ(ScaleByRatio(1000, "memory", all), 1000) << all;
}

TEST(Profile, the_tree_is_called_by_the_hash_of_the_profile) {
  // FNV-1a, 64 bits: offset 14695981039346656037, prime 1099511628211.
  EXPECT_EQ(TreeIdOf(Profile("a")), "9816276314407088615");
  EXPECT_EQ(RootQuotaOf(Profile("a"), {}, nullptr).tree_id, "9816276314407088615");
}

TEST(Profile, quotas_are_made_or_made_over_and_no_limit_is_large) {
  ClusterObjects objects;
  objects.nodes = {Node("a", {{"cpu", 4000}}), Node("b", {{"cpu", 8000}}),
                   Node("a", {{"cpu", 2000}, {"memory", 64}})};
  objects.nodes[0].unschedulable = true;
  objects.quota_profiles = {Profile("a"), Profile("b")};
  objects.quota_profiles[1].quota_name = "other";
  objects.quota_profiles[1].quota_labels = {{"quota.scheduling.koordinator.sh/is-parent", "true"}};
  ElasticQuotaRecord& old = objects.elastic_quotas.emplace_back();
  old.group = kSigsGroup;
  old.meta.namespace_ = "kube-system";
  old.meta.name = "root";
  old.allow_lent = false;  // as its label says
  old.meta.labels["quota.scheduling.koordinator.sh/allow-lent-resource"] = "false";
  const std::vector<ElasticQuotaRecord> quotas = ApplyProfiles(objects);
  ASSERT_EQ(quotas.size(), 2U);
  EXPECT_EQ(quotas[0].min, (ResourceList{{"cpu", 6000}, {"memory", 64}}));
  EXPECT_EQ(quotas[0].unschedulable_resource, (ResourceList{{"cpu", 4000}}));
  // 2^63 / 2000 whole cpus.
  EXPECT_EQ(quotas[0].max,
            (ResourceList{{"cpu", 4'611'686'018'427'387'000}, {"memory", 4'611'686'018'427'387}}));
  EXPECT_FALSE(quotas[0].allow_lent);
  EXPECT_TRUE(quotas[0].is_root);
  EXPECT_EQ(quotas[1].Identity(), "ElasticQuota.scheduling.sigs.k8s.io/kube-system/other");
  EXPECT_EQ(quotas[1].min, (ResourceList{{"cpu", 8000}, {"memory", 0}}));
  EXPECT_TRUE(quotas[1].is_parent);
}

}  // namespace
}  // namespace batholith
