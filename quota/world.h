#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith {

// What changes how quotas are judged.
struct QuotaRules {
  bool update_resource_key = false;  // gate ElasticQuotaEnableUpdateResourceKey
  bool guarantee_usage = false;      // gate ElasticQuotaGuaranteeUsage
  bool parents_run_pods = false;     // gate SupportParentQuotaSubmitPod
  bool legacy_sigs = false;          // scheduling.sigs.k8s.io belongs to scheduler-plugins
  bool strict = false;               // as the three systems do, even where ours does better
};

// The quotas of a cluster and who uses them, by the ways in which the rules look them up. Keeps
// pointers into `objects`, which must stay as they are. Cost: O(objects).
class QuotaWorld {
 public:
  using Quotas = std::vector<const ElasticQuotaRecord*>;

  QuotaWorld(const ClusterObjects& objects, QuotaRules rules);

  const QuotaRules& rules() const { return rules_; }
  // Every quota, oldest first, then by identity: of two that claim one thing the first has it.
  const Quotas& quotas() const { return quotas_; }
  QuotaDialect DialectOf(const ElasticQuotaRecord& quota) const;
  static bool Before(const ElasticQuotaRecord& a, const ElasticQuotaRecord& b);

  // The object of this identity, or nullptr.
  const ElasticQuotaRecord* Find(const std::string& identity) const;
  // Koordinator's quotas only: names are unique over the cluster, of several the first counts;
  // nullptr where there is none.
  const ElasticQuotaRecord* Named(std::string_view name) const;
  const Quotas& AllNamed(std::string_view name) const;
  const Quotas& ChildrenOf(std::string_view name) const;
  // Who says that the pods of the namespace are his: quotas of scheduler-plugins and nos by where
  // they live, composites and Koordinator's by their lists.
  const Quotas& Claiming(std::string_view namespace_) const;

  // The quota of Koordinator that a pod belongs to: by label, else the one called as its namespace
  // and living there, else the one that lists the namespace; nullptr where there is none.
  const ElasticQuotaRecord* QuotaOf(const PodRecord& pod) const;
  std::size_t PodsLabelled(std::string_view quota) const;
  std::size_t PodsIn(std::string_view namespace_) const;

 private:
  using Index = std::map<std::string, Quotas, std::less<>>;
  using Counts = std::map<std::string, std::size_t, std::less<>>;

  void Add(const ElasticQuotaRecord& quota);

  QuotaRules rules_;
  Quotas quotas_;
  std::map<std::string, const ElasticQuotaRecord*, std::less<>> by_identity_;
  Index by_name_;
  Index by_parent_;
  Index by_namespace_;
  Counts pods_by_label_;
  Counts pods_by_namespace_;
};

// The namespaces whose pods a quota claims, as Claiming looks at it.
std::vector<std::string> ClaimedNamespaces(const ElasticQuotaRecord& quota, QuotaDialect dialect);

}  // namespace batholith
