#include "scheduler/victim_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "api/resource_schema.h"
#include "quota/world.h"

namespace batholith {
namespace {

// The plugin of the trait that judges whom action reclaim takes; empty: none does.
std::string_view Judge(const Pipeline& pipeline, bool PluginDescriptor::* trait) {
  for (const Pipeline::PluginEntry& plugin : pipeline.plugins) {
    const bool judges = plugin.points.Has(Point::kReclaimable) &&
                        plugin.descriptor->points.Has(Point::kReclaimable);
    if (plugin.descriptor->*trait && judges) return plugin.descriptor->name;
  }
  return {};
}

bool TakesBack(const Pipeline& pipeline) {
  return std::ranges::any_of(pipeline.actions, [](const Pipeline::ActionEntry& action) {
    return action.descriptor->asks.Has(Point::kReclaimable);
  });
}

using Names = std::set<std::string>;

std::map<std::string, Names> QueuesByNamespace(const CycleResult& result) {
  std::map<std::string, Names> out;
  for (const JobStatus& job : result.jobs)
    out[job.key.substr(0, job.key.find('/'))].insert(job.queue);
  return out;
}

// What the quota's pods ask for within its min.
ResourceList Guaranteed(const QuotaStatus& quota) {
  ResourceList out;
  for (const auto& [name, min] : quota.min) {
    const auto asked = quota.request.find(name);
    const std::int64_t amount = asked == quota.request.end() ? 0 : std::min(min, asked->second);
    if (amount > 0) out[name] = amount;
  }
  return out;
}

// By queue, of the quotas all of whose jobs are there. Nothing where no two queues have quotas.
std::map<std::string, ResourceList> GuaranteedByQueue(const ClusterObjects& objects,
                                                      const CycleResult& result) {
  const std::map<std::string, Names> queues = QueuesByNamespace(result);
  std::map<std::string, const QuotaStatus*> statuses;
  for (const QuotaStatus& q : result.quotas) statuses[q.kind + "." + q.group + "/" + q.name] = &q;
  std::map<std::string, ResourceList> out;
  Names with_quotas;
  for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
    if (quota.dialect == QuotaDialect::kKoordinator) continue;  // takes from no other quota
    Names own;
    for (const std::string& namespace_ : ClaimedNamespaces(quota, quota.dialect)) {
      const auto it = queues.find(namespace_);
      if (it != queues.end()) own.insert(it->second.begin(), it->second.end());
    }
    with_quotas.insert(own.begin(), own.end());
    const auto status = statuses.find(quota.kind + "." + quota.group + "/" + quota.meta.Key());
    if (own.size() == 1 && status != statuses.end())
      AddTo(out[*own.begin()], Guaranteed(*status->second));
  }
  if (with_quotas.size() < 2) out.clear();
  return out;
}

// The first resource; empty where something of it is still deserved, with which a plugin may let
// a quota take the rest, too.
std::string BeyondDeserved(const ResourceList& guaranteed, const ResourceList& deserved) {
  std::string first;
  for (const auto& [name, amount] : guaranteed) {
    const auto it = deserved.find(name);
    if (it == deserved.end()) continue;
    if (amount <= it->second) return {};
    if (first.empty()) first = name;
  }
  return first;
}

}  // namespace

std::vector<std::string> VictimConflicts(const ClusterObjects& objects, const Pipeline& pipeline,
                                         const CycleResult& result) {
  std::vector<std::string> conflicts;
  const std::string_view quotas = Judge(pipeline, &PluginDescriptor::owns_quotas);
  const std::string_view shares = Judge(pipeline, &PluginDescriptor::owns_shares);
  if (objects.elastic_quotas.empty() || quotas.empty() || shares.empty() || !TakesBack(pipeline))
    return conflicts;
  const std::map<std::string, ResourceList> guaranteed = GuaranteedByQueue(objects, result);
  for (const QueueStatus& queue : result.queues) {
    const auto it = guaranteed.find(queue.name);
    if (it == guaranteed.end()) continue;
    const std::string resource = BeyondDeserved(it->second, queue.deserved);
    if (resource.empty()) continue;
    conflicts.push_back(fmt::format(
        "plugins {} and {} refuse each other's victims: the quotas of queue {} are guaranteed more "
        "{} than the queue deserves, and beyond that nothing is taken back for them from other "
        "queues (let the queue deserve more, or put the jobs of these quotas into one queue)",
        quotas, shares, queue.name, resource));
  }
  return conflicts;
}

}  // namespace batholith
