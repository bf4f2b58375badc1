#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "quota/forest.h"
#include "quota/profile.h"

namespace batholith {

std::string KindAndName(const ElasticQuotaRecord& record) {
  return record.kind + " " + record.meta.Key() + " (" + record.group + ")";
}

namespace {

bool IsBuiltIn(std::string_view name) {
  return name == kRootQuota || name == kSystemQuota || name == kDefaultQuota;
}

bool Older(const ElasticQuotaRecord* a, const ElasticQuotaRecord* b) {
  return std::tuple(a->meta.creation, a->meta.Key()) < std::tuple(b->meta.creation, b->meta.Key());
}

}  // namespace

// Builds the nodes of one forest: Koordinator's trees top-down, then the flat dialects.
struct QuotaForest::Builder {
  QuotaForest& f;
  const std::vector<ElasticQuotaRecord>& records;
  std::map<std::string, const ElasticQuotaRecord*, std::less<>> by_name;
  std::map<std::string, std::vector<const ElasticQuotaRecord*>, std::less<>> children;
  std::vector<std::vector<TreeQuota>> tree_quotas = {{}};
  std::vector<std::string> tree_ids = {""};
  std::vector<ResourceVector> tree_totals = {{}};
  // Namespace → quotas that stand for it, by precedence.
  std::map<std::string, std::map<int, std::vector<QuotaIndex>>, std::less<>> claims;

  QuotaDialect DialectOf(const ElasticQuotaRecord& record) const {
    const bool legacy =
        f.options_.legacy_cs_owns_sigs_group && record.dialect == QuotaDialect::kKoordinator;
    return legacy ? QuotaDialect::kSchedulerPlugins : record.dialect;
  }

  QuotaIndex Append(QuotaNode node) {
    const QuotaIndex q(f.nodes_.size());
    f.nodes_.push_back(std::move(node));
    return q;
  }

  QuotaNode NodeOf(const ElasticQuotaRecord& record) {
    QuotaNode node;
    node.dialect = DialectOf(record);
    node.record = &record;
    node.name = record.meta.Key();
    if (record.min) node.min = QuotaList::From(*f.schema_, *record.min);
    if (record.max) node.max = QuotaList::From(*f.schema_, *record.max);
    node.policy = f.options_.policy(node.dialect);
    Override(record, node.policy);
    node.compare = CompareRule::Of(
        node.dialect, node.policy.compare == QuotaPolicy::Compare::kUpstream, *f.schema_);
    node.max_limits =
        MaxLimits(node.compare, node.policy.missing_max == QuotaPolicy::MissingMax::kUpstream,
                  record.max.has_value(), node.max);
    if (!record.meta.flaw.empty()) node.broken = "it cannot be read: " + record.meta.flaw;
    return node;
  }

  void Trouble(const ElasticQuotaRecord& record, const std::string& what) {
    f.problems_.push_back(
        {record.meta.Key(), record.group, record.kind, KindAndName(record) + what});
  }

  void Override(const ElasticQuotaRecord& record, QuotaPolicy& policy) {
    for (auto it = record.meta.annotations.lower_bound(kQuotaPolicyPrefix);
         it != record.meta.annotations.end() && it->first.starts_with(kQuotaPolicyPrefix); ++it) {
      const std::string_view argument =
          std::string_view(it->first).substr(kQuotaPolicyPrefix.size());
      if (it->first == kOverSinceAnnotation) continue;
      if (!SetPolicy(policy, argument, it->second)) {
        Trouble(record, ": annotation " + it->first + ": \"" + it->second +
                            "\" is not a value of a policy; ignored");
      }
    }
  }

  // --- Koordinator ---

  void Koordinator() {
    std::vector<const ElasticQuotaRecord*> mine;
    for (const ElasticQuotaRecord& r : records) {
      if (DialectOf(r) == QuotaDialect::kKoordinator) mine.push_back(&r);
    }
    std::ranges::sort(mine, Older);
    for (const ElasticQuotaRecord* r : mine) {
      const auto [it, added] = by_name.try_emplace(r->meta.name, r);
      if (!added) {
        Trouble(*r, " is shadowed: quota names are unique in the cluster, and " +
                        KindAndName(*it->second) + " is older");
      }
    }
    if (mine.empty()) return;
    BuiltIns();
    std::vector<const ElasticQuotaRecord*> tops;
    for (const auto& [name, r] : by_name) {
      if (IsBuiltIn(name)) continue;
      const bool top = r->parent.empty() || r->parent == kRootQuota;
      if (!r->meta.flaw.empty()) {
        Broken(*r, NodeOf(*r).broken);
        continue;
      }
      if (!top && (r->parent == name || !by_name.contains(r->parent))) {
        Broken(*r, "its parent " + r->parent + " does not exist");
        continue;
      }
      (top ? tops : children[r->parent]).push_back(r);
    }
    for (const ElasticQuotaRecord* r : tops) Descend(*r, TreeOf(*r));
    // What is not reached hangs on a cycle, or below something broken.
    for (const auto& [name, r] : by_name) {
      if (IsBuiltIn(name)) continue;
      if (!f.by_name_.contains(name)) Broken(*r, "its parents form no path to the root");
    }
  }

  void BuiltIns() {
    const auto built_in = [&](std::string_view name, QuotaRole role) {
      QuotaNode node;
      const auto it = by_name.find(name);
      if (it != by_name.end()) node = NodeOf(*it->second);
      node.role = role;
      if (it == by_name.end()) {
        node.name = f.options_.group_namespace + "/" + std::string(name);
        node.policy = f.options_.policy(QuotaDialect::kKoordinator);
        node.compare = CompareRule::Of(QuotaDialect::kKoordinator, false, *f.schema_);
        if (role == QuotaRole::kDefault)
          node.max = QuotaList::From(*f.schema_, f.options_.default_max);
        node.max_limits = MaxLimits(node.compare, false, true, node.max);
      }
      if (role == QuotaRole::kSystem) node.max_limits = ResourceLimits();
      const QuotaIndex q = Append(std::move(node));
      f.by_name_.emplace(name, q);
      return q;
    };
    f.system_ = built_in(kSystemQuota, QuotaRole::kSystem);
    if (f.options_.default_quota) f.default_ = built_in(kDefaultQuota, QuotaRole::kDefault);
  }

  std::size_t TreeOf(const ElasticQuotaRecord& top) {
    if (!f.options_.multi_tree || top.tree_id.empty()) return 0;
    const auto known = std::ranges::find(tree_ids, top.tree_id);
    const auto tree = static_cast<std::size_t>(known - tree_ids.begin());
    if (known == tree_ids.end()) {
      tree_ids.push_back(top.tree_id);
      tree_quotas.emplace_back();
      tree_totals.emplace_back();
    }
    if (top.is_root && top.total_resource) {
      const ResourceVector total = QuotaList::From(*f.schema_, *top.total_resource).values();
      tree_totals[tree] += total;
      if (!top.ignore_default_tree) f.default_tree_total_ -= total;
    }
    return tree;
  }

  // The quota and all below it, each before those below it. No recursion: anybody may store a chain
  // of quotas that is deeper than the stack.
  void Descend(const ElasticQuotaRecord& top, std::size_t tree) {
    std::vector<std::pair<const ElasticQuotaRecord*, QuotaIndex>> todo{{&top, QuotaIndex()}};
    while (!todo.empty()) {
      const auto [r, parent] = todo.back();
      todo.pop_back();
      const QuotaIndex q = PutInTree(*r, parent, tree);
      const auto below = children.find(r->meta.name);
      if (below == children.end()) continue;
      for (auto child = below->second.rbegin(); child != below->second.rend(); ++child)
        todo.emplace_back(*child, q);
    }
  }

  QuotaIndex PutInTree(const ElasticQuotaRecord& r, QuotaIndex parent, std::size_t tree) {
    QuotaNode node = NodeOf(r);
    node.parent = parent;
    node.tree = tree;
    node.in_tree = QuotaIndex(tree_quotas[tree].size());
    TreeQuota in_tree;
    in_tree.name = r.meta.name;
    in_tree.parent = parent.is_none() ? QuotaIndex() : f.node(parent).in_tree;
    in_tree.min = node.min;
    in_tree.max = node.max;
    in_tree.weight = WeightOf(r, node.max);
    in_tree.lends = r.allow_lent;
    tree_quotas[tree].push_back(std::move(in_tree));
    const QuotaIndex q = Append(std::move(node));
    f.by_name_.emplace(r.meta.name, q);
    Claim(r, q);
    return q;
  }

  // Absent or all zero: as max: Koordinator's shared-weight.
  QuotaList WeightOf(const ElasticQuotaRecord& r, const QuotaList& max) const {
    if (!r.shared_weight) return max;
    QuotaList weight = QuotaList::From(*f.schema_, *r.shared_weight);
    if (AskedDimensions(weight.values(), f.dims_) == 0) return max;
    for (std::size_t d = 0; d < f.dims_; ++d) {
      if (!weight.Has(d) && max.Has(d)) weight.Set(d, max[d]);
    }
    return weight;
  }

  void Broken(const ElasticQuotaRecord& r, const std::string& why) {
    QuotaNode node = NodeOf(r);
    node.broken = why;
    Trouble(r, ": " + why + "; its pods wait");
    const QuotaIndex q = Append(std::move(node));
    f.by_name_.emplace(r.meta.name, q);
    Claim(r, q);
  }

  void Claim(const ElasticQuotaRecord& r, QuotaIndex q) {
    if (r.is_parent && !f.options_.parents_take_pods) return;  // only leaves bind by namespace
    claims[r.meta.namespace_][r.meta.name == r.meta.namespace_ ? 0 : 1].push_back(q);
    for (const std::string& namespace_ : r.namespaces) claims[namespace_][2].push_back(q);
  }

  // --- the flat dialects ---

  void Flat(QuotaDialect dialect) {
    std::vector<const ElasticQuotaRecord*> mine;
    for (const ElasticQuotaRecord& r : records) {
      if (DialectOf(r) == dialect) mine.push_back(&r);
    }
    if (mine.empty()) return;
    std::ranges::sort(mine, Older);
    QuotaNode family;
    family.role = QuotaRole::kFamily;
    family.dialect = dialect;
    family.name = dialect == QuotaDialect::kNos ? "nos" : "scheduler-plugins";
    family.policy = f.options_.policy(dialect);
    family.compare = CompareRule::Of(
        dialect, family.policy.aggregated == QuotaPolicy::Aggregated::kUpstream, *f.schema_);
    const QuotaIndex parent = Append(std::move(family));
    f.family_[static_cast<std::size_t>(dialect)] = parent;
    for (const ElasticQuotaRecord* r : mine) {
      QuotaNode node = NodeOf(*r);
      node.parent = parent;
      f.sums_[static_cast<std::size_t>(dialect)].Add(node.min, {}, f.dims_);
      QuotaList& sum = f.nodes_[parent.value()].max;
      for (std::size_t d = 0; d < f.dims_; ++d) {
        if (node.min.Has(d)) sum.Set(d, ResourceVector::AddSaturating(sum[d], node.min[d]));
      }
      const QuotaIndex q = Append(std::move(node));
      if (!r->IsComposite())
        claims[r->meta.namespace_][dialect == QuotaDialect::kNos ? 4 : 5].push_back(q);
      if (!r->IsComposite()) continue;
      for (const std::string& namespace_ : r->namespaces) claims[namespace_][3].push_back(q);
    }
  }

  // --- bindings ---

  void Bind() {
    for (auto& [namespace_, by_rank] : claims) {
      Namesakes(by_rank);
      std::vector<QuotaIndex>& winners = f.claims_[namespace_];
      for (const auto& [rank, quotas] : by_rank) {
        for (const QuotaIndex q : quotas) {
          if (std::ranges::find(winners, q) == winners.end()) winners.push_back(q);
        }
      }
      if (winners.empty()) {
        f.claims_.erase(namespace_);
        continue;
      }
      for (std::size_t i = 1; i < winners.size(); ++i) {
        Trouble(*f.node(winners[i]).record, " is shadowed in namespace " + namespace_ + " by " +
                                                KindAndName(*f.node(winners[0]).record));
      }
    }
  }

  // A Koordinator quota stands for the namespace that it lives in by its name, or, with
  // namespaceBinding, because it is the only one there.
  void Namesakes(std::map<int, std::vector<QuotaIndex>>& by_rank) const {
    const auto lone = by_rank.find(1);
    if (lone == by_rank.end()) return;
    const bool takes_all =
        f.options_.bind_namespace && lone->second.size() == 1 && !by_rank.contains(0);
    if (!takes_all) by_rank.erase(lone);
  }
};

QuotaForest::QuotaForest(const ClusterObjects& objects, const ResourceSchema& schema,
                         const ResourceVector& total, QuotaOptions options)
    : options_(std::move(options)),
      schema_(&schema),
      dims_(schema.size()),
      default_tree_total_(ToTreeUnits(total, schema.size())) {
  if (!objects.quota_profiles.empty()) made_ = ApplyProfiles(objects);
  for (const ElasticQuotaProfileRecord& profile : objects.quota_profiles) {
    if (!profile.quota_name.empty()) continue;
    problems_.push_back({profile.meta.Key(), std::string(kQuotaProfileGroup), "ElasticQuotaProfile",
                         "ElasticQuotaProfile " + profile.meta.Key() +
                             ": spec.quotaName is empty, so no quota is made of it"});
  }
  Builder builder{*this, objects.quota_profiles.empty() ? objects.elastic_quotas : made_,
                  {},    {},
                  {{}},  {""},
                  {{}},  {}};
  constexpr std::size_t kMade = 4;  // the built-in quotas, a parent for each flat dialect
  nodes_.reserve(builder.records.size() + kMade);
  builder.Koordinator();
  builder.Flat(QuotaDialect::kNos);
  builder.Flat(QuotaDialect::kSchedulerPlugins);
  builder.Bind();
  for (std::size_t t = 0; t < builder.tree_quotas.size(); ++t) {
    trees_.emplace_back(std::move(builder.tree_quotas[t]),
                        RuntimeTree::Options{dims_, options_.scale_min, options_.guarantee_used});
    trees_.back().SetTotal(builder.tree_totals[t]);
  }
}

}  // namespace batholith
