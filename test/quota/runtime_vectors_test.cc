#include <gtest/gtest.h>

#include "test/quota/quota_bench.h"

// Koordinator's trees: what is asked, what is used and what may be used, by the vectors.
namespace batholith {
namespace {

class RuntimeVectors : public QuotaVectorTest {};

// Quotas of a vector: {name, parent, max, min, weight, allow_lent}, the root left out.
ClusterObjects TreeOf(const YAML::Node& quotas) {
  ClusterObjects objects;
  for (const YAML::Node& in : quotas) {
    const std::string parent = TextOf(in["parent"]);
    ElasticQuotaRecord& quota = objects.elastic_quotas.emplace_back(
        KoordinatorQuota(TextOf(in["name"]), parent == "root" ? "" : parent));
    quota.max = OptionalAmountsOf(in["max"]);
    quota.min = OptionalAmountsOf(in["min"]);
    quota.shared_weight = OptionalAmountsOf(in["weight"]);
    quota.allow_lent = !in["allow_lent"] || in["allow_lent"].as<bool>();
  }
  return objects;
}

// A path of quotas, the one that pods are bound to first; all have the same max.
ClusterObjects Chain(const YAML::Node& chain, const YAML::Node& max) {
  ClusterObjects objects;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const std::string parent = i + 1 < chain.size() ? TextOf(chain[i + 1]) : "";
    ElasticQuotaRecord& quota =
        objects.elastic_quotas.emplace_back(KoordinatorQuota(TextOf(chain[i]), parent));
    quota.max = OptionalAmountsOf(max);
  }
  return objects;
}

TEST_F(RuntimeVectors, trees) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "tree")) {
    QuotaOptions options = QuotaOptions::Defaults(true);
    options.scale_min = v.inputs["enable_min_scale"].as<bool>();
    QuotaBench bench(TreeOf(v.inputs["quotas"]), AmountsOf(v.inputs["total"]), options);
    for (const YAML::Node& in : v.inputs["quotas"]) {
      if (in["self_request"])
        bench.forest().Ask(bench.At(TextOf(in["name"])), bench.Weight(in["self_request"]));
    }
    for (const auto& entry : v.expected["quotas"]) {
      const auto name = entry.first.as<std::string>();
      const QuotaIndex q = bench.At(name);
      const RuntimeTree& tree = *bench.forest().TreeOf(q);
      const QuotaIndex at = bench.node(name).in_tree;
      const auto expect = [&](const char* what, const ResourceVector& figure) {
        if (!entry.second[what]) return;
        EXPECT_EQ(bench.List(figure), NonZero(entry.second[what])) << v.id << name << what;
      };
      expect("request", tree.request(at));
      expect("child_request", tree.child_request(at));
      expect("limited_request", tree.limited_request(at));
      expect("runtime", Masked(tree.runtime(at), bench.node(name).max.present()));
      expect("auto_scale_min", tree.scaled_min(at));
    }
    if (!v.expected["root_request"]) continue;
    const QuotaIndex any = bench.At(TextOf(v.inputs["quotas"][0]["name"]));
    EXPECT_EQ(bench.List(bench.forest().TreeOf(any)->root_request()),
              NonZero(v.expected["root_request"]))
        << v.id;
  }
}

TEST_F(RuntimeVectors, max_limits_what_goes_up) {
  const ResourceSchema schema;
  const auto tree_with = [&](const YAML::Node& max) {
    TreeQuota quota;
    quota.name = "q";
    quota.max = QuotaList::From(schema, AmountsOf(max));
    return RuntimeTree({quota}, {.dimensions = schema.size()});
  };
  const auto units = [&](const YAML::Node& list) {
    return QuotaList::From(schema, AmountsOf(list)).values();
  };
  const QuotaIndex q(0);
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "limit_request")) {
    RuntimeTree tree = tree_with(v.inputs["max"]);
    tree.AddRequest(q, units(v.inputs["request"]));
    EXPECT_EQ(tree.limited_request(q), units(v.expected["limited"])) << v.id;
  }
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "non_negative_add")) {
    RuntimeTree tree = tree_with(YAML::Node());
    tree.AddRequest(q, units(v.inputs["value"]));
    tree.AddRequest(q, units(v.inputs["delta"]));
    EXPECT_EQ(tree.child_request(q), units(v.expected["value"])) << v.id;
    EXPECT_EQ(tree.root_request(), units(v.expected["value"])) << v.id;
  }
}

// The tree knows a runtime for each resource that there is; a quota sees those of its max.
TEST_F(RuntimeVectors, what_max_does_not_list_is_hidden) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "mask_runtime")) {
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota("q")};
    objects.elastic_quotas[0].max = AmountsOf(v.inputs["max"]);
    QuotaBench bench(std::move(objects), AmountsOf(v.inputs["runtime"]));
    bench.forest().Ask(bench.At("q"), bench.Weight(v.inputs["runtime"]));
    EXPECT_EQ(NonZero(bench.List(bench.forest().LimitOf(bench.At("q")))),
              NonZero(v.expected["runtime"]))
        << v.id;
  }
}

TEST_F(RuntimeVectors, use_goes_up) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "used_propagation")) {
    QuotaBench bench(Chain(v.inputs["chain"], v.inputs["max"]));
    const auto charge = [&](const YAML::Node& delta) {
      const QuotaIndex q = bench.At(TextOf(v.inputs["chain"][0]));
      const QuotaPod fixed = bench.Weight(delta["non_preemptible_used"], false);
      QuotaPod others = bench.Weight(delta["used"]);
      others.request -= fixed.request;
      bench.forest().Charge(q, others, QuotaHold::kAssigned, 1);
      bench.forest().Charge(q, fixed, QuotaHold::kAssigned, 1);
    };
    if (v.inputs["used"]) charge(v.inputs);
    for (const YAML::Node& delta : v.inputs["deltas"]) charge(delta);
    for (const auto& entry : v.expected["used"]) {
      const QuotaNode& node = bench.node(entry.first.as<std::string>());
      EXPECT_EQ(bench.List(node.assigned), NonZero(entry.second)) << v.id;
      EXPECT_EQ(bench.List(node.non_preemptible),
                NonZero(v.expected["non_preemptible_used"][entry.first.as<std::string>()]))
          << v.id;
    }
    if (v.expected["self_used"]) {
      EXPECT_EQ(bench.List(bench.node(TextOf(v.inputs["chain"][0])).assigned),
                NonZero(v.expected["self_used"]))
          << v.id;
    }
  }
}

TEST_F(RuntimeVectors, requests_go_up) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "request_propagation")) {
    QuotaBench bench(Chain(v.inputs["chain"], v.inputs["max"]));
    bench.forest().Ask(bench.At(TextOf(v.inputs["chain"][0])), bench.Weight(v.inputs["request"]));
    for (const auto& entry : v.expected["request"]) {
      const QuotaIndex q = bench.At(entry.first.as<std::string>());
      EXPECT_EQ(bench.List(bench.forest().TreeOf(q)->request(bench.forest().node(q).in_tree)),
                NonZero(entry.second))
          << v.id;
    }
  }
}

// There is no root among the nodes: what it uses is what the first level and the groups beside it
// use.
TEST_F(RuntimeVectors, the_root_uses_everything) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "root_sums")) {
    ClusterObjects objects;
    objects.elastic_quotas = {KoordinatorQuota("1", "", true), KoordinatorQuota("2"),
                              KoordinatorQuota("3", "1")};
    for (ElasticQuotaRecord& quota : objects.elastic_quotas)
      quota.max = {{"cpu", 1'000'000}, {"memory", 1'000'000}};
    QuotaBench bench(std::move(objects));
    bench.Use(kSystemQuota, v.inputs["used"]["system"]);
    bench.Use(kDefaultQuota, v.inputs["used"]["default"]);
    bench.Use(kDefaultQuota, v.inputs["used"]["default_pod"]);
    bench.Use("2", v.inputs["used"]["quota_2"]);
    bench.Use("3", v.inputs["used"]["quota_3_below_1"]);
    ResourceVector sum;
    for (std::size_t i = 0; i < bench.forest().size(); ++i) {
      const QuotaNode& node = bench.forest().node(QuotaIndex(i));
      if (node.parent.is_none()) sum += node.assigned;
    }
    EXPECT_EQ(bench.List(sum), NonZero(v.expected["root_used"])) << v.id;
  }
}

// In the tree itself, whose sums hold what was counted whatever max lists now.
TEST_F(RuntimeVectors, what_runs_is_guaranteed) {
  const ResourceSchema schema;
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "guarantee_usage")) {
    std::vector<TreeQuota> quotas;
    std::map<std::string, QuotaIndex> by_name;
    for (const YAML::Node& in : v.inputs["quotas"]) {
      TreeQuota& quota = quotas.emplace_back();
      quota.name = TextOf(in["name"]);
      const auto parent = by_name.find(TextOf(in["parent"]));
      if (parent != by_name.end()) quota.parent = parent->second;
      quota.min = QuotaList::From(schema, AmountsOf(in["min"]));
      quota.max = quota.weight = QuotaList::From(schema, AmountsOf(in["max"]));
      by_name[quota.name] = QuotaIndex(quotas.size() - 1);
    }
    RuntimeTree tree(std::move(quotas), {.dimensions = schema.size(), .guarantee_used = true});
    tree.SetTotal(QuotaList::From(schema, AmountsOf(v.inputs["total"])).values());
    for (const YAML::Node& pod : v.inputs["scheduled_pods_of_2"]) {
      const ResourceVector request = QuotaList::From(schema, AmountsOf(pod)).values();
      tree.AddRequest(by_name["2"], request);
      tree.AddUsed(by_name["2"], request);
    }
    for (const auto& entry : v.expected) {
      const QuotaIndex q = by_name.at(entry.first.as<std::string>());
      const auto expect = [&](const char* what, const ResourceVector& figure) {
        if (!entry.second[what]) return;
        EXPECT_EQ(figure, QuotaList::From(schema, AmountsOf(entry.second[what])).values())
            << v.id << " " << what;
      };
      expect("child_request", tree.child_request(q));
      expect("request", tree.request(q));
      expect("used", tree.used(q));
      expect("allocated", tree.allocated(q));
      expect("guaranteed", tree.guaranteed(q));
    }
  }
}

TEST_F(RuntimeVectors, what_the_default_tree_shares) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "effective_total")) {
    ResourceList total;
    std::vector<std::pair<std::string_view, YAML::Node>> used;
    for (std::size_t op = 0; op < v.inputs["ops"].size(); ++op) {
      const YAML::Node& in = v.inputs["ops"][op];
      AddTo(total, AmountsOf(in["node_delta"]));
      if (in["system_used_delta"]) used.emplace_back(kSystemQuota, in["system_used_delta"]);
      if (in["default_used_delta"]) used.emplace_back(kDefaultQuota, in["default_used_delta"]);
      EXPECT_EQ(total, AmountsOf(v.expected["after"][op]["total"])) << v.id << " " << op;
      ClusterObjects objects;
      objects.elastic_quotas = {KoordinatorQuota("q")};
      QuotaBench bench(std::move(objects), total);
      for (const auto& [quota, amounts] : used) bench.Use(quota, amounts);
      EXPECT_EQ(bench.List(bench.forest().TreeOf(bench.At("q"))->total()),
                NonZero(v.expected["after"][op]["effective"]))
          << v.id << " " << op;
    }
  }
}

TEST_F(RuntimeVectors, what_a_tree_of_its_own_takes) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "multi_tree_total")) {
    for (std::size_t op = 0; op < v.inputs["ops"].size(); ++op) {
      const YAML::Node& in = v.inputs["ops"][op];
      const YAML::Node of_tree = in["add_tree_root"] ? in["add_tree_root"] : in["update_tree_root"];
      ClusterObjects objects;
      objects.elastic_quotas = {KoordinatorQuota("q")};
      if (of_tree) {
        ElasticQuotaRecord& root =
            objects.elastic_quotas.emplace_back(KoordinatorQuota("t", "", true));
        root.is_root = true;
        root.tree_id = "t";
        root.total_resource = AmountsOf(of_tree);
      }
      QuotaOptions options = QuotaOptions::Defaults(true);
      options.multi_tree = true;
      QuotaBench bench(std::move(objects), AmountsOf(v.inputs["cluster_total"]), options);
      const auto total = [&](const char* quota) {
        return bench.List(bench.forest().TreeOf(bench.At(quota))->total());
      };
      const YAML::Node after = v.expected["after"][op];
      EXPECT_EQ(total("q"), NonZero(after["default_tree"])) << v.id << " " << op;
      if (!of_tree) continue;
      EXPECT_EQ(total("t"), NonZero(after["tree"])) << v.id << " " << op;
    }
  }
}

}  // namespace
}  // namespace batholith
