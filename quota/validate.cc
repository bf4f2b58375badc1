#include "quota/validate.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "api/quantity.h"
#include "api/sort_unique.h"
#include "quota/gpu_memory.h"
#include "quota/validate_tree.h"

namespace batholith {
namespace {

void CheckSigns(const QuotaCase& c, const std::string& field,
                const std::optional<ResourceList>& list) {
  if (!list) return;
  for (const auto& [name, amount] : *list) {
    if (amount >= 0) continue;
    c.Report(field + "." + name, "must not be negative, is " + FormatQuantity(amount, name));
  }
}

void CheckStrictKeys(const QuotaCase& c) {
  for (const std::string& name : c.quota.max_strict_keys) {
    const auto used = c.quota.status_used.find(name);
    if (used == c.quota.status_used.end()) continue;
    const std::string amount = FormatQuantity(used->second, name);
    const auto max = c.quota.max ? c.quota.max->find(name) : ResourceList::const_iterator();
    if (!c.quota.max || max == c.quota.max->end()) {
      c.Report("spec.max", name + " must be listed: " + amount + " of it is used");
    } else if (max->second < used->second) {
      c.Report("spec.max." + name,
               FormatQuantity(max->second, name) + " is less than is used, " + amount);
    }
  }
}

void CheckOwnValues(const QuotaCase& c, QuotaDialect dialect) {
  const ElasticQuotaRecord& quota = c.quota;
  const bool koordinator = dialect == QuotaDialect::kKoordinator;
  CheckSigns(c, "spec.max", quota.max);
  CheckSigns(c, "spec.min", quota.min);
  if (quota.min) {
    for (const auto& [name, min] : *quota.min) {
      if (quota.max && quota.max->contains(name)) {
        const std::int64_t max = quota.max->at(name);
        if (min <= max) continue;
        c.Report("spec.min." + name,
                 FormatQuantity(min, name) + " is more than max, " + FormatQuantity(max, name));
      } else if (koordinator) {
        c.Report("spec.min." + name, "is not listed in spec.max");
      }
    }
  }
  if (quota.IsComposite() && quota.namespaces.empty()) {
    c.Report("spec.namespaces", "must name at least one namespace");
  }
  if (!koordinator) return;
  CheckSigns(c, QuotaAnnotationField("shared-weight"), quota.shared_weight);
  CheckStrictKeys(c);
}

// Families settle by a fixed order who gets the pods; inside one family nobody may
// take a namespace that another has.
void CheckClaims(const QuotaCase& c, QuotaDialect dialect) {
  const bool listed = dialect == QuotaDialect::kKoordinator || c.quota.IsComposite();
  const std::string field = !listed                 ? "metadata.namespace"
                            : c.quota.IsComposite() ? "spec.namespaces"
                                                    : QuotaAnnotationField("namespaces");
  std::vector<std::string> claimed = ClaimedNamespaces(c.quota, dialect);
  SortUnique(claimed);
  for (const std::string& namespace_ : claimed) {
    for (const ElasticQuotaRecord* other : c.world.Claiming(namespace_)) {
      if (other == c.stored || (c.whole_world && !QuotaWorld::Before(*other, c.quota))) continue;
      bool warn = c.world.DialectOf(*other) != dialect;
      // nos lets a composite in, and removes what it covers.
      warn = warn || (c.world.rules().strict && c.quota.IsComposite() && !other->IsComposite());
      c.Report(field, "namespace " + namespace_ + " is that of " + other->Identity() + " already",
               warn ? QuotaSeverity::kWarn : QuotaSeverity::kReject);
    }
  }
}

void CheckName(const QuotaCase& c) {
  for (const ElasticQuotaRecord* other : c.world.AllNamed(c.quota.meta.name)) {
    if (other == c.stored || (c.whole_world && !QuotaWorld::Before(*other, c.quota))) continue;
    c.Report("metadata.name",
             "is that of " + other->Identity() + " already; names are unique over all namespaces");
    return;
  }
}

void Check(const QuotaCase& c) {
  const QuotaDialect dialect = c.world.DialectOf(c.quota);
  CheckOwnValues(c, dialect);
  if (dialect == QuotaDialect::kKoordinator) {
    if (c.old == nullptr) CheckName(c);
    CheckTree(c);
  }
  CheckClaims(c, dialect);
}

bool SaysTheSame(const ElasticQuotaRecord& a, const ElasticQuotaRecord& b) {
  const auto judged = [](const ElasticQuotaRecord& q) {
    return std::tie(q.min, q.max, q.namespaces, q.is_parent, q.parent, q.tree_id, q.is_root,
                    q.allow_force_update, q.shared_weight, q.max_strict_keys);
  };
  return judged(a) == judged(b);
}

bool IsOneOf(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

QuotaProblems ValidateQuotaCreate(const QuotaWorld& world, const ElasticQuotaRecord& quota) {
  QuotaProblems problems;
  const QuotaCase c{.world = world, .quota = quota, .problems = problems};
  if (world.Find(quota.Identity()) != nullptr) {
    c.Report("metadata.name", "exists already");
    return problems;
  }
  Check(c);
  return problems;
}

QuotaProblems ValidateQuotaUpdate(const QuotaWorld& world, const ElasticQuotaRecord& old,
                                  const ElasticQuotaRecord& quota) {
  QuotaProblems problems;
  const QuotaCase c{.world = world,
                    .quota = quota,
                    .old = &old,
                    .stored = world.Find(quota.Identity()),
                    .problems = problems};
  if (c.stored == nullptr) {
    c.Report("metadata.name", "does not exist");
    return problems;
  }
  if (SaysTheSame(old, quota)) return problems;
  if (world.DialectOf(quota) == QuotaDialect::kKoordinator &&
      IsOneOf(quota.meta.name, {kRootQuota, kSystemQuota})) {
    c.Report("metadata.name", "is built in and cannot be changed");
    return problems;
  }
  Check(c);
  return problems;
}

QuotaProblems ValidateQuotaDelete(const QuotaWorld& world, const ElasticQuotaRecord& quota) {
  QuotaProblems problems;
  if (world.DialectOf(quota) != QuotaDialect::kKoordinator) return problems;
  const QuotaCase c{.world = world, .quota = quota, .problems = problems};
  const std::string& name = quota.meta.name;
  if (IsOneOf(name, {kRootQuota, kSystemQuota, kDefaultQuota})) {
    c.Report("metadata.name", "is built in and cannot be deleted");
    return problems;
  }
  // Children and pods belong to the first of its name.
  if (const ElasticQuotaRecord* first = world.Named(name);
      first != nullptr && first->Identity() != quota.Identity()) {
    return problems;
  }
  const auto& children = world.ChildrenOf(name);
  if (!children.empty()) {
    c.Report("metadata.name",
             "cannot be deleted: " + children.front()->meta.name + " is its child");
  }
  const std::size_t pods = world.PodsLabelled(name);
  if (pods > 0) {
    c.Report("metadata.name", "cannot be deleted: " + std::to_string(pods) + " pods name it");
  }
  return problems;
}

QuotaProblems ValidateQuotaPod(const QuotaWorld& world, const PodRecord& pod) {
  const ElasticQuotaRecord* quota = world.QuotaOf(pod);
  if (quota == nullptr || !quota->is_parent || world.rules().parents_run_pods) return {};
  return {{"Pod/" + pod.meta.Key(), QuotaLabelField("name"),
           quota->Identity() + " is a parent, which runs no pods"}};
}

QuotaProblems ValidateQuotaPodUpdate(const QuotaWorld& world, const PodRecord& old,
                                     const PodRecord& pod) {
  QuotaProblems problems;
  if (old.quota_name != pod.quota_name) problems = ValidateQuotaPod(world, pod);
  if (old.quota_preemptible != pod.quota_preemptible) {
    problems.push_back({"Pod/" + pod.meta.Key(), QuotaLabelField("preemptible"), "cannot change"});
  }
  return problems;
}

QuotaProblems ValidateQuotas(const QuotaWorld& world) {
  QuotaProblems problems;
  for (const ElasticQuotaRecord* quota : world.quotas()) {
    Check({.world = world,
           .quota = *quota,
           .stored = quota,
           .whole_world = true,
           .problems = problems});
  }
  return problems;
}

QuotaProblems CheckPromises(const QuotaWorld& world, const ResourceList& capacity) {
  ResourceList promised;
  for (const ElasticQuotaRecord* quota : world.quotas()) {
    if (quota->min && world.DialectOf(*quota) != QuotaDialect::kKoordinator)
      AddTo(promised, *quota->min);
  }
  QuotaProblems problems;
  for (const auto& [name, amount] : promised) {
    const auto it = capacity.find(name);
    const std::int64_t there = it == capacity.end() ? 0 : it->second;
    if (amount <= there || IsGpuMemory(name)) continue;  // nodes do not report gpu-memory
    problems.push_back({"quotas without a tree", "spec.min." + name,
                        FormatQuantity(amount, name) + " is promised, the cluster has " +
                            FormatQuantity(there, name),
                        QuotaSeverity::kWarn});
  }
  return problems;
}

ElasticQuotaRecord FillQuota(const QuotaWorld& world, ElasticQuotaRecord quota) {
  if (world.DialectOf(quota) != QuotaDialect::kKoordinator || quota.meta.name == kRootQuota) {
    return quota;
  }
  const ElasticQuotaRecord* parent = quota.parent.empty() ? nullptr : world.Named(quota.parent);
  if (quota.tree_id.empty() && parent != nullptr) quota.tree_id = parent->tree_id;
  if (!quota.max) return quota;
  ResourceList weight = *quota.max;
  for (auto& [name, amount] : weight) {
    if (quota.shared_weight && quota.shared_weight->contains(name))
      amount = quota.shared_weight->at(name);
  }
  quota.shared_weight = std::move(weight);
  return quota;
}

QuotaProblems CheckQuotas(const ClusterObjects& objects) {
  if (objects.elastic_quotas.empty()) return {};
  const QuotaWorld world(objects, {});
  ResourceList capacity;
  for (const NodeRecord& node : objects.nodes) AddTo(capacity, node.allocatable);
  QuotaProblems problems = ValidateQuotas(world);
  for (QuotaProblem& problem : CheckPromises(world, capacity))
    problems.push_back(std::move(problem));
  return problems;
}

}  // namespace batholith
