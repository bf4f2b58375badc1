#include "quota/validate_tree.h"

#include <algorithm>
#include <set>

#include "api/quantity.h"

namespace batholith {
namespace {

const ResourceList& OrEmpty(const std::optional<ResourceList>& list) {
  static const ResourceList kEmpty;
  return list ? *list : kEmpty;
}

std::int64_t AmountOf(const ResourceList& list, const std::string& resource) {
  const auto it = list.find(resource);
  return it == list.end() ? 0 : it->second;
}

// The first resource of `inner` that `outer` does not list; empty: there is none.
std::string Foreign(const ResourceList& inner, const ResourceList& outer) {
  for (const auto& [name, amount] : inner) {
    if (!outer.contains(name)) return name;
  }
  return {};
}

ResourceList LargerOf(const ResourceList& a, const ResourceList& b) {
  ResourceList out = a;
  for (const auto& [name, amount] : b) {
    const auto [it, added] = out.emplace(name, amount);
    if (!added) it->second = std::max(it->second, amount);
  }
  return out;
}

bool IsWithin(const ResourceList& a, const ResourceList& b) {
  return std::ranges::all_of(a, [&](const auto& e) { return e.second <= AmountOf(b, e.first); });
}

// Sum over the children of `parent`, without the quota itself as it is stored.
template <typename Amounts>
ResourceList SumOfSiblings(const QuotaCase& c, std::string_view parent, Amounts amounts) {
  ResourceList sum;
  for (const ElasticQuotaRecord* child : c.world.ChildrenOf(parent)) {
    if (child != c.stored) AddTo(sum, OrEmpty(child->*amounts));
  }
  return sum;
}

void CheckIsParent(const QuotaCase& c) {
  if (c.old == nullptr || c.old->is_parent == c.quota.is_parent) return;
  const std::string& name = c.quota.meta.name;
  if (!c.quota.is_parent) {
    const auto& children = c.world.ChildrenOf(name);
    if (children.empty()) return;
    c.Report(QuotaLabelField("is-parent"),
             "must stay true: " + children.front()->meta.name + " is its child");
    return;
  }
  std::size_t pods = c.world.PodsLabelled(name) + c.world.PodsIn(name);
  for (const std::string& namespace_ : c.old->namespaces) pods += c.world.PodsIn(namespace_);
  if (pods > 0) c.Report(QuotaLabelField("is-parent"), "must stay false: pods use the quota");
}

void CheckTreeId(const QuotaCase& c, const ElasticQuotaRecord* parent) {
  const auto other = [&](const std::string& whose, const std::string& id) {
    if (id == c.quota.tree_id) return;
    c.Report(QuotaLabelField("tree-id"),
             "\"" + c.quota.tree_id + "\" is not that of " + whose + ", \"" + id + "\"");
  };
  if (c.old != nullptr) other("the quota so far, which cannot change", c.old->tree_id);
  if (parent != nullptr) other("its parent " + parent->meta.name, parent->tree_id);
  if (c.whole_world) return;
  for (const ElasticQuotaRecord* child : c.world.ChildrenOf(c.quota.meta.name))
    other("its child " + child->meta.name, child->tree_id);
}

void CheckCycle(const QuotaCase& c) {
  std::set<std::string_view> seen;
  for (const ElasticQuotaRecord* up = &c.quota; up != nullptr && seen.insert(up->parent).second;
       up = c.world.Named(up->parent)) {
    if (up->parent != c.quota.meta.name) continue;
    c.Report(QuotaLabelField("parent"), c.quota.parent + " stands below the quota itself");
    return;
  }
}

// `child` is the quota or one of its children.
void CheckKeys(const QuotaCase& c, const ElasticQuotaRecord& parent,
               const ElasticQuotaRecord& child) {
  const auto subset = [&](const char* field, const ElasticQuotaRecord& inner,
                          const ElasticQuotaRecord& outer, auto list) {
    const std::string name = Foreign(OrEmpty(inner.*list), OrEmpty(outer.*list));
    if (name.empty()) return;
    c.Report(field, name + " stands in that of " + inner.meta.name + " but not in that of " +
                        outer.meta.name);
  };
  subset("spec.max", child, parent, &ElasticQuotaRecord::max);
  if (!c.world.rules().update_resource_key) {
    subset("spec.max", parent, child, &ElasticQuotaRecord::max);
  }
  subset("spec.min", child, parent, &ElasticQuotaRecord::min);
}

void CheckSum(const QuotaCase& c, const ElasticQuotaRecord& parent, const ResourceList& sum) {
  for (const auto& [name, amount] : sum) {
    const std::int64_t min = AmountOf(OrEmpty(parent.min), name);
    if (amount <= min) continue;
    c.Report("spec.min." + name, "the children of " + parent.meta.name + " are promised " +
                                     FormatQuantity(amount, name) + " together, it itself only " +
                                     FormatQuantity(min, name));
  }
}

bool IsFreeOfSums(const ElasticQuotaRecord& quota) {
  return quota.allow_force_update || quota.is_root;
}

void CheckMinSums(const QuotaCase& c, const ElasticQuotaRecord* parent) {
  const std::string& name = c.quota.meta.name;
  const auto& children = c.world.ChildrenOf(name);
  if (c.whole_world) {
    const bool free = IsFreeOfSums(c.quota) && std::ranges::all_of(children, [](const auto* child) {
                        return IsFreeOfSums(*child);
                      });
    if (!free) CheckSum(c, c.quota, SumOfSiblings(c, name, &ElasticQuotaRecord::min));
    return;
  }
  if (IsFreeOfSums(c.quota)) return;
  if (parent != nullptr) {
    ResourceList sum = SumOfSiblings(c, parent->meta.name, &ElasticQuotaRecord::min);
    AddTo(sum, OrEmpty(c.quota.min));
    CheckSum(c, *parent, sum);
  }
  CheckSum(c, c.quota, SumOfSiblings(c, name, &ElasticQuotaRecord::min));
}

// Somebody on the way up must have guaranteed already what the quota is to be guaranteed now.
void CheckGuarantee(const QuotaCase& c) {
  if (!c.world.rules().guarantee_usage || IsFreeOfSums(c.quota) || c.quota.tree_id.empty()) return;
  const ResourceList& have = OrEmpty(c.quota.guaranteed);
  if (IsWithin(OrEmpty(c.quota.min), have)) return;
  ResourceList wanted = LargerOf(OrEmpty(c.quota.min), have);
  const ElasticQuotaRecord* self = &c.quota;
  std::set<std::string_view> seen;  // a cycle reaches no root either
  while (!self->parent.empty() && seen.insert(self->parent).second) {
    const ElasticQuotaRecord* parent = c.world.Named(self->parent);
    if (parent == nullptr) break;
    for (const ElasticQuotaRecord* sibling : c.world.ChildrenOf(self->parent)) {
      if (sibling->meta.name != self->meta.name) AddTo(wanted, OrEmpty(sibling->guaranteed));
    }
    wanted = LargerOf(OrEmpty(parent->min), wanted);
    if (IsWithin(wanted, OrEmpty(parent->guaranteed))) return;
    self = parent;
  }
  c.Report("spec.min", "no parent up to " + self->meta.name + " can guarantee it");
}

}  // namespace

std::string QuotaLabelField(std::string_view key) {
  return "metadata.labels." + std::string(kQuotaKeyPrefix) + std::string(key);
}

std::string QuotaAnnotationField(std::string_view key) {
  return "metadata.annotations." + std::string(kQuotaKeyPrefix) + std::string(key);
}

void CheckTree(const QuotaCase& c) {
  const ElasticQuotaRecord& quota = c.quota;
  if (quota.meta.name == kRootQuota) return;
  const ElasticQuotaRecord* parent = quota.parent.empty() ? nullptr : c.world.Named(quota.parent);
  CheckIsParent(c);
  CheckTreeId(c, parent);
  if (quota.parent.empty() && !quota.is_parent) return;
  if (!quota.parent.empty() && (parent == nullptr || !parent->is_parent)) {
    c.Report(QuotaLabelField("parent"),
             quota.parent + (parent == nullptr ? " does not exist" : " is not a parent"));
    if (parent == nullptr) return;
  }
  CheckCycle(c);
  if (parent != nullptr) CheckKeys(c, *parent, quota);
  if (!c.whole_world) {
    for (const ElasticQuotaRecord* child : c.world.ChildrenOf(quota.meta.name))
      CheckKeys(c, quota, *child);
  }
  CheckMinSums(c, parent);
  CheckGuarantee(c);
}

}  // namespace batholith
