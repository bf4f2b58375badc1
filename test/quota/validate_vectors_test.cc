#include <gtest/gtest.h>

#include "test/quota/quota_env.h"
#include "test/quota/vectors.h"

// What the webhooks of Koordinator and nos admit, by the vectors.
namespace batholith {
namespace {

class ValidateVectors : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasQuotaVectors()) GTEST_SKIP() << "no folder with vectors beside the project";
  }
};

const ResourceList kPlenty{{"cpu", INT64_MAX}, {"memory", INT64_MAX}};

bool Creates(const ClusterObjects& objects, const ElasticQuotaRecord& quota,
             QuotaRules rules = {}) {
  return Admits(ValidateQuotaCreate(QuotaWorld(objects, rules), quota));
}

bool Updates(ClusterObjects objects, const ElasticQuotaRecord& old,
             const ElasticQuotaRecord& quota) {
  objects.elastic_quotas.push_back(old);
  return Admits(ValidateQuotaUpdate(QuotaWorld(objects, {}), old, quota));
}

std::vector<std::string> TextsAt(const YAML::Node& list) {
  return list.IsDefined() ? list.as<std::vector<std::string>>() : std::vector<std::string>();
}

TEST_F(ValidateVectors, own_values) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "validate_self")) {
    const YAML::Node in = v.inputs["quota"];
    ElasticQuotaRecord quota = KoordinatorQuota("q");
    quota.min = OptionalAmountsOf(in["min"]);
    quota.max = OptionalAmountsOf(in["max"]);
    quota.shared_weight = OptionalAmountsOf(in["shared_weight"]);
    quota.status_used = AmountsOf(in["used"]);
    quota.max_strict_keys = TextsAt(in["strict_keys"]);
    EXPECT_EQ(Creates({}, quota), v.expected["admit"].as<bool>()) << v.id;
  }
}

TEST_F(ValidateVectors, what_is_left_out_is_filled_in) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "default_fill")) {
    ClusterObjects objects;
    ElasticQuotaRecord quota = KoordinatorQuota("q", TextOf(v.inputs["parent"]));
    if (!quota.parent.empty()) {
      objects.elastic_quotas.push_back(KoordinatorQuota(quota.parent, "", true));
      objects.elastic_quotas.back().tree_id = TextOf(v.inputs["parent_tree_id"]);
    }
    quota.max = OptionalAmountsOf(v.inputs["max"]);
    quota.shared_weight = OptionalAmountsOf(v.inputs["shared_weight"]);
    const ElasticQuotaRecord filled = FillQuota(QuotaWorld(objects, {}), quota);
    EXPECT_EQ(filled.shared_weight, AmountsOf(v.expected["shared_weight"])) << v.id;
    EXPECT_EQ(filled.tree_id, TextOf(v.expected["tree_id"])) << v.id;
    const std::string parent = filled.parent.empty() ? std::string(kRootQuota) : filled.parent;
    EXPECT_EQ(parent, TextOf(v.expected["parent"], std::string(kRootQuota))) << v.id;
  }
}

TEST_F(ValidateVectors, keys_of_parents_and_children) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "validate_keys")) {
    // A quota lists one unit of each resource; where only min is told, max has all of both.
    const auto amounts = [&](const char* field, const char* other) {
      ResourceList out;
      for (const char* f : {field, other}) {
        for (const std::string& name : TextsAt(v.inputs[f])) out[name] = ResourceScale(name);
      }
      return out;
    };
    const auto set = [&](ElasticQuotaRecord& quota, const std::string& who) {
      quota.min = amounts((who + "_min").c_str(), "");
      const bool has_max = v.inputs[who + "_max"].IsDefined();
      quota.max = has_max ? amounts((who + "_max").c_str(), "") : amounts("parent_min", "self_min");
    };
    ClusterObjects objects;
    const bool below = v.inputs["parent_max"] || v.inputs["parent_min"];
    ElasticQuotaRecord self = KoordinatorQuota("self", below ? "parent" : "", true);
    set(self, "self");
    if (below)
      set(objects.elastic_quotas.emplace_back(KoordinatorQuota("parent", "", true)), "parent");
    if (v.inputs["child_max"])
      set(objects.elastic_quotas.emplace_back(KoordinatorQuota("child", "self")), "child");
    const bool gate = v.inputs["gate_update_resource_key"].IsDefined();
    EXPECT_EQ(Creates(objects, self, {.update_resource_key = gate}), v.expected["admit"].as<bool>())
        << v.id;
  }
}

TEST_F(ValidateVectors, tree_ids) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "validate_tree_id")) {
    ClusterObjects objects;
    ElasticQuotaRecord self = KoordinatorQuota("self", "parent", true);
    self.tree_id = TextOf(v.inputs["self"]);
    objects.elastic_quotas = {KoordinatorQuota("parent", "", true),
                              KoordinatorQuota("child", "self")};
    objects.elastic_quotas[0].tree_id = TextOf(v.inputs["parent"]);
    objects.elastic_quotas[1].tree_id = TextOf(v.inputs["child"]);
    EXPECT_EQ(Creates(objects, self), v.expected["admit"].as<bool>()) << v.id;
  }
}

TEST_F(ValidateVectors, sums_of_min) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "validate_min_sum")) {
    ClusterObjects objects;
    const auto add = [&](const ElasticQuotaRecord& quota, const YAML::Node& min) {
      objects.elastic_quotas.push_back(quota);
      objects.elastic_quotas.back().min = AmountsOf(min);
      objects.elastic_quotas.back().max = kPlenty;
    };
    ElasticQuotaRecord self =
        KoordinatorQuota("self", v.inputs["parent_min"] ? "parent" : "", true);
    self.min = AmountsOf(v.inputs["self_min"]);
    self.max = kPlenty;
    self.allow_force_update = v.inputs["allow_force_update"].IsDefined();
    if (v.inputs["parent_min"]) add(KoordinatorQuota("parent", "", true), v.inputs["parent_min"]);
    std::size_t n = 0;
    for (const YAML::Node& min : v.inputs["siblings_min"])
      add(KoordinatorQuota("sibling" + std::to_string(n++), self.parent), min);
    for (const YAML::Node& min : v.inputs["children_min"])
      add(KoordinatorQuota("child" + std::to_string(n++), "self"), min);
    EXPECT_EQ(Creates(objects, self), v.expected["admit"].as<bool>()) << v.id;
  }
}

TEST_F(ValidateVectors, what_is_guaranteed) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "validate_guarantee")) {
    ClusterObjects objects;
    const auto set = [&](ElasticQuotaRecord& quota, const YAML::Node& in) {
      quota.min = OptionalAmountsOf(in["min"]);
      quota.guaranteed = AmountsOf(in["guaranteed"]);
      quota.max = kPlenty;
      quota.tree_id = "t";
    };
    ElasticQuotaRecord self = KoordinatorQuota("self", "top");
    set(self, v.inputs["self"]);
    ElasticQuotaRecord& top =
        objects.elastic_quotas.emplace_back(KoordinatorQuota("top", "", true));
    set(top, v.inputs["tree_root"]);
    top.is_root = true;
    for (const YAML::Node& guaranteed : v.inputs["siblings_guaranteed"]) {
      ElasticQuotaRecord& sibling =
          objects.elastic_quotas.emplace_back(KoordinatorQuota("other", "top"));
      set(sibling, YAML::Node());
      sibling.guaranteed = AmountsOf(guaranteed);
    }
    EXPECT_EQ(Creates(objects, self, {.guarantee_usage = true}), v.expected["admit"].as<bool>())
        << v.id;
  }
}

// The quotas that have namespaces already: {namespace: quota}.
void AddBound(const YAML::Node& bound, ClusterObjects& objects) {
  std::map<std::string, std::vector<std::string>> by_quota;
  for (const auto& entry : bound)
    by_quota[entry.second.as<std::string>()].push_back(entry.first.as<std::string>());
  for (const auto& [name, namespaces] : by_quota)
    objects.elastic_quotas.emplace_back(KoordinatorQuota(name)).namespaces = namespaces;
}

bool LifecycleCreate(const YAML::Node& in) {
  ClusterObjects objects;
  ElasticQuotaRecord quota = KoordinatorQuota("q");
  quota.namespaces = TextsAt(in["namespaces"]);
  AddBound(in["bound"], objects);
  if (in["exists"]) objects.elastic_quotas.push_back(quota);
  if (in["parent_tree_id"] || in["parent_is_parent"]) {
    quota.parent = "parent";
    const bool is_parent = !in["parent_is_parent"];
    objects.elastic_quotas.push_back(KoordinatorQuota("parent", "", is_parent));
    objects.elastic_quotas.back().tree_id = TextOf(in["parent_tree_id"]);
  }
  return Creates(objects, quota);
}

bool LifecycleUpdate(const YAML::Node& in) {
  ClusterObjects objects;
  ElasticQuotaRecord old = KoordinatorQuota(TextOf(in["name"], "q"));
  old.tree_id = TextOf(in["old_tree_id"]);
  old.namespaces = TextsAt(in["bound_to_self"]);
  ElasticQuotaRecord quota = old;
  quota.tree_id = TextOf(in["new_tree_id"]);
  quota.namespaces = TextsAt(in["namespaces"]);
  quota.max = in["self_max"] ? AmountsOf(in["self_max"]) : kPlenty;
  quota.min = OptionalAmountsOf(in["self_min"]);
  AddBound(in["bound"], objects);
  if (in["exists"]) return Admits(ValidateQuotaUpdate(QuotaWorld(objects, {}), old, quota));
  return Updates(objects, old, quota);
}

bool LifecycleMove(const YAML::Node& in) {
  ClusterObjects objects;
  ElasticQuotaRecord old = KoordinatorQuota("q", "from");
  old.min = AmountsOf(in["self_min"]);
  old.max = kPlenty;
  for (const char* name : {"from", "to"}) {
    ElasticQuotaRecord& parent =
        objects.elastic_quotas.emplace_back(KoordinatorQuota(name, "", true));
    parent.min = AmountsOf(in["new_parent_min"]);
    parent.max = kPlenty;
  }
  ElasticQuotaRecord quota = old;
  quota.parent = "to";
  return Updates(objects, old, quota);
}

bool LifecycleIsParent(const YAML::Node& in) {
  ClusterObjects objects;
  ElasticQuotaRecord quota = KoordinatorQuota("q");
  quota.is_parent = in["to"].as<bool>();
  ElasticQuotaRecord old = quota;
  old.is_parent = !quota.is_parent;
  if (TextOf(in["children"]) == "1")
    objects.elastic_quotas.push_back(KoordinatorQuota("child", "q"));
  const std::string by = TextOf(in["pods_by"]);
  if (by == "label") objects.pods.push_back(PodIn("elsewhere", "q"));
  if (by == "namespace-name") objects.pods.push_back(PodIn("q"));
  return Updates(objects, old, quota);
}

bool LifecycleDelete(const YAML::Node& in) {
  ClusterObjects objects;
  objects.elastic_quotas = {KoordinatorQuota(TextOf(in["name"], "q"))};
  const ElasticQuotaRecord quota = objects.elastic_quotas[0];
  if (TextOf(in["children"]) == "1")
    objects.elastic_quotas.push_back(KoordinatorQuota("child", "q"));
  if (TextOf(in["pods"]) == "1") objects.pods.push_back(PodIn("elsewhere", "q"));
  return Admits(ValidateQuotaDelete(QuotaWorld(objects, {}), quota));
}

TEST_F(ValidateVectors, lifecycle) {
  const std::map<std::string, bool (*)(const YAML::Node&)> judges{{"create", LifecycleCreate},
                                                                  {"update", LifecycleUpdate},
                                                                  {"move", LifecycleMove},
                                                                  {"is_parent", LifecycleIsParent},
                                                                  {"delete", LifecycleDelete}};
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "validate_lifecycle")) {
    EXPECT_EQ(judges.at(TextOf(v.inputs["op"]))(v.inputs), v.expected["admit"].as<bool>()) << v.id;
  }
}

// The strict rules let a composite in over the ElasticQuotas that it covers.
TEST_F(ValidateVectors, nos) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "validate")) {
    ClusterObjects objects;
    for (const std::string& namespace_ : TextsAt(v.inputs["existing_eq"]))
      objects.elastic_quotas.push_back(QuotaIn(kNosGroup, namespace_, "there"));
    for (const YAML::Node& namespaces : v.inputs["existing_ceq"]) {
      objects.elastic_quotas.push_back(
          Composite("there", namespaces.as<std::vector<std::string>>()));
    }
    ElasticQuotaRecord quota = TextOf(v.inputs["kind"]) == "ElasticQuota"
                                   ? QuotaIn(kNosGroup, TextOf(v.inputs["namespace"]), "q")
                                   : Composite("q", TextsAt(v.inputs["namespaces"]));
    quota.min = OptionalAmountsOf(v.inputs["min"]);
    quota.max = OptionalAmountsOf(v.inputs["max"]);
    EXPECT_EQ(Creates(objects, quota, {.strict = true}), v.expected["admit"].as<bool>()) << v.id;
  }
}

// nos deletes what a composite covers; ours stays, and is named.
TEST_F(ValidateVectors, a_composite_covers_quotas) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "composite_delete_overlap")) {
    ClusterObjects objects;
    for (const std::string& namespace_ : TextsAt(v.inputs["elastic_quotas"]))
      objects.elastic_quotas.push_back(QuotaIn(kNosGroup, namespace_, "q"));
    const QuotaProblems problems =
        ValidateQuotaCreate(QuotaWorld(objects, {.strict = true}),
                            Composite("c", TextsAt(v.inputs["composite_namespaces"])));
    std::vector<std::string> free;
    for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
      const bool covered = std::ranges::any_of(problems, [&](const QuotaProblem& p) {
        return p.reason.find(quota.Identity()) != std::string::npos;
      });
      if (!covered) free.push_back(quota.meta.namespace_);
    }
    EXPECT_EQ(free, TextsAt(v.expected["remaining_elastic_quotas"])) << v.id;
  }
}

}  // namespace
}  // namespace batholith
