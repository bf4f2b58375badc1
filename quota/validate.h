#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quota/world.h"

// What is wrong with quotas, as pure functions: what the simulator warns of is what the admission
// webhook refuses.
namespace batholith {

enum class QuotaSeverity : std::uint8_t { kReject, kWarn };

struct QuotaProblem {
  std::string object;  // as ElasticQuotaRecord::Identity
  std::string field;   // "spec.min.cpu"
  std::string reason;
  QuotaSeverity severity = QuotaSeverity::kReject;

  std::string Text() const { return object + ": " + field + ": " + reason; }
};
using QuotaProblems = std::vector<QuotaProblem>;

// A quota that is about to be stored. `world` is what is there already.
// Cost: O(its siblings and children).
QuotaProblems ValidateQuotaCreate(const QuotaWorld& world, const ElasticQuotaRecord& quota);
// `world` still holds the object as it was. An update of nothing that is judged has no problems, so
// that a bad object does not keep its labels for ever.
QuotaProblems ValidateQuotaUpdate(const QuotaWorld& world, const ElasticQuotaRecord& old,
                                  const ElasticQuotaRecord& quota);
QuotaProblems ValidateQuotaDelete(const QuotaWorld& world, const ElasticQuotaRecord& quota);

// Pods may not use a parent's quota, and the label `preemptible` stays as it is.
QuotaProblems ValidateQuotaPod(const QuotaWorld& world, const PodRecord& pod);
QuotaProblems ValidateQuotaPodUpdate(const QuotaWorld& world, const PodRecord& old,
                                     const PodRecord& pod);

// All quotas that are there. What two objects have between them is said once: of the later one, of
// the child, or for a sum of the parent. Cost: O(quotas × (resources + log quotas)).
QuotaProblems ValidateQuotas(const QuotaWorld& world);

// A warning for each resource of which scheduler-plugins' and nos' quotas promise more than there
// is. Nodes come and go, so it is never a reason to refuse one.
QuotaProblems CheckPromises(const QuotaWorld& world, const ResourceList& capacity);

// Both of the above for the quotas and nodes that are there, by the default rules. None where there
// are no quotas.
QuotaProblems CheckQuotas(const ClusterObjects& objects);

// A quota of Koordinator with what its writer may leave out: the tree of its parent, and a weight
// for exactly the resources of max. Other quotas come back as they are.
ElasticQuotaRecord FillQuota(const QuotaWorld& world, ElasticQuotaRecord quota);

}  // namespace batholith
