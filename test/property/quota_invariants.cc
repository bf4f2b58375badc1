#include "test/property/quota_invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "test/property/checks.h"
#include "test/property/random_quotas.h"

namespace batholith::property {
namespace {

bool OnNode(const PodRecord& pod) {
  return !pod.node_name.empty() && pod.phase != PodPhase::kSucceeded &&
         pod.phase != PodPhase::kFailed;
}

std::string IdentityOf(const ElasticQuotaRecord* quota) {
  return quota == nullptr ? std::string() : quota->Identity();
}

const ElasticQuotaRecord* ParentOf(const ClusterObjects& objects, const ElasticQuotaRecord& quota) {
  if (quota.parent.empty()) return nullptr;
  for (const ElasticQuotaRecord& other : objects.elastic_quotas) {
    if (other.meta.name == quota.parent) return &other;
  }
  return nullptr;
}

// What Koordinator's quota does not list in max is not its.
void Charge(ResourceList& used, const ElasticQuotaRecord& quota, const ResourceList& request) {
  for (const auto& [name, amount] : request) {
    if (quota.dialect == QuotaDialect::kKoordinator && !quota.max->contains(name)) continue;
    used[name] += amount;
  }
}

void CompareWithMax(const ElasticQuotaRecord& quota, const ResourceList& used,
                    const std::set<std::string>& names, Problems& problems) {
  if (!quota.max) return;
  for (const std::string& name : names) {
    const auto limit = quota.max->find(name);
    if (limit == quota.max->end() || AmountOf(used, name) <= limit->second) continue;
    problems.push_back(fmt::format("{} uses {} of {}, max {}", quota.Identity(),
                                   AmountOf(used, name), name, limit->second));
  }
}

void CompareWithMinimums(const ClusterObjects& objects,
                         const std::map<std::string, ResourceList>& used,
                         const std::map<std::string, std::set<std::string>>& asked,
                         QuotaDialect dialect, Problems& problems) {
  ResourceList promised;
  ResourceList held;
  std::set<std::string> names;
  for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
    if (quota.dialect != dialect) continue;
    if (quota.min) AddTo(promised, *quota.min);
    if (const auto it = used.find(quota.Identity()); it != used.end()) AddTo(held, it->second);
    if (const auto it = asked.find(quota.Identity()); it != asked.end())
      names.insert(it->second.begin(), it->second.end());
  }
  for (const std::string& name : names) {
    const auto bound = promised.find(name);
    if (bound == promised.end() || AmountOf(held, name) <= bound->second) continue;
    problems.push_back(fmt::format("the quotas use {} of {}, all minimums are {}",
                                   AmountOf(held, name), name, bound->second));
  }
}

}  // namespace

std::map<std::string, ResourceList> UsedByQuota(const ClusterObjects& objects,
                                                const CycleResult& result) {
  std::set<std::string> bound;
  for (const Bind& bind : result.binds) bound.insert(bind.pod);
  std::map<std::string, ResourceList> used;
  for (const PodRecord& pod : objects.pods) {
    if (!OnNode(pod) && !bound.contains(pod.meta.Key())) continue;
    const ElasticQuotaRecord* quota = QuotaOfPod(objects, pod);
    if (quota != nullptr) Charge(used[quota->Identity()], *quota, pod.request);
  }
  return used;
}

Problems CheckQuotasHold(const ClusterObjects& objects, const CycleResult& result, bool parents) {
  Problems problems;
  const auto pods = PodsByKey(objects);
  std::map<std::string, std::set<std::string>> asked;  // by quota that got a pod
  for (const Bind& bind : result.binds) {
    const PodRecord& pod = *pods.at(bind.pod);
    const ElasticQuotaRecord* quota = QuotaOfPod(objects, pod);
    if (quota == nullptr) continue;
    for (const auto& [name, amount] : pod.request) asked[quota->Identity()].insert(name);
  }
  const std::map<std::string, ResourceList> used = UsedByQuota(objects, result);
  std::map<std::string, ResourceList> of_parent;
  for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
    const auto held = used.find(quota.Identity());
    const ElasticQuotaRecord* parent = ParentOf(objects, quota);
    if (parent != nullptr && held != used.end()) AddTo(of_parent[parent->Identity()], held->second);
  }
  for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
    const auto names = asked.find(quota.Identity());
    if (names == asked.end()) continue;
    CompareWithMax(quota, used.at(quota.Identity()), names->second, problems);
    const ElasticQuotaRecord* parent = ParentOf(objects, quota);
    if (parents && parent != nullptr)
      CompareWithMax(*parent, of_parent[parent->Identity()], names->second, problems);
  }
  for (const QuotaDialect flat : {QuotaDialect::kSchedulerPlugins, QuotaDialect::kNos})
    CompareWithMinimums(objects, used, asked, flat, problems);
  return problems;
}

Problems CheckQuotaVictims(const ClusterObjects& objects, const CycleResult& result) {
  Problems problems;
  const auto pods = PodsByKey(objects);
  const bool has_tree = std::ranges::any_of(
      objects.elastic_quotas,
      [](const ElasticQuotaRecord& q) { return q.dialect == QuotaDialect::kKoordinator; });
  std::map<std::string, const ElasticQuotaRecord*> quota_of_job;
  for (const PodRecord& pod : objects.pods)
    quota_of_job.emplace(pod.meta.namespace_ + "/" + pod.group, QuotaOfPod(objects, pod));
  for (const Evict& evict : result.evictions) {
    const PodRecord& pod = *pods.at(evict.pod);
    const ElasticQuotaRecord* quota = QuotaOfPod(objects, pod);
    const bool bound = quota != nullptr || has_tree;  // else the default quota takes him
    if (bound && !pod.quota_preemptible)
      problems.push_back(evict.pod + " is evicted and may not be preempted");
    if (evict.for_job.empty()) continue;
    const ElasticQuotaRecord* preemptor = quota_of_job.at(evict.for_job);
    const bool alike = (preemptor == nullptr) == (quota == nullptr) &&
                       (preemptor == nullptr || preemptor->dialect == quota->dialect);
    if (!alike) {
      problems.push_back(fmt::format("{} of \"{}\" is evicted for {} of \"{}\"", evict.pod,
                                     IdentityOf(quota), evict.for_job, IdentityOf(preemptor)));
    }
  }
  return problems;
}

Problems StarvedWithinMin(const ClusterObjects& objects) {
  Problems problems;
  std::map<std::string, ResourceList> left;
  for (const NodeRecord& node : objects.nodes) left[node.meta.name] = node.allocatable;
  for (const PodRecord& pod : objects.pods) {
    if (!OnNode(pod)) continue;
    for (const auto& [name, amount] : pod.request) left[pod.node_name][name] -= amount;
  }
  const std::map<std::string, ResourceList> used = UsedByQuota(objects, {});
  for (const PodRecord& pod : objects.pods) {
    const ElasticQuotaRecord* quota = QuotaOfPod(objects, pod);
    if (OnNode(pod) || quota == nullptr || !quota->min) continue;
    const auto held = used.find(quota->Identity());
    const auto fits_min = [&](const auto& entry) {
      const std::int64_t has = held == used.end() ? 0 : AmountOf(held->second, entry.first);
      return has + entry.second <= AmountOf(*quota->min, entry.first);
    };
    if (!std::ranges::all_of(pod.request, fits_min)) continue;
    for (const auto& [node, room] : left) {
      const bool fits = std::ranges::all_of(pod.request, [&](const auto& entry) {
        return entry.second <= AmountOf(room, entry.first);
      });
      if (!fits) continue;
      problems.push_back(fmt::format("{} waits within the min of {}, {} has room", pod.meta.Key(),
                                     quota->Identity(), node));
      break;
    }
  }
  return problems;
}

}  // namespace batholith::property
