#pragma once

#include <cstdint>
#include <optional>

#include "api/effect.h"
#include "api/ids.h"
#include "api/resource_vector.h"
#include "framework/domain_sums.h"
#include "topology/domain_tree.h"

namespace batholith {

// How far apart the pods of a job, or of one of its sub-jobs, may be.
struct TopologyLimit {
  bool asked = false;             // it says something of it
  bool hard = false;              // with a limit: it is never exceeded
  std::int64_t highest_tier = 0;  // of the domain around them
  std::int64_t lowest_tier = INT64_MIN;

  bool Allows(std::int64_t tier) const { return lowest_tier <= tier && tier <= highest_tier; }
};

// Which nodes are close to each other, and how domains of them are judged. A session has at most
// one owner; switch kHyperNodeGradient.
class TopologyOwner {
 public:
  virtual const DomainTree& tree() const = 0;
  // As the session stands now.
  virtual const DomainSums& sums() = 0;
  virtual TopologyLimit LimitOf(JobIndex job) const = 0;
  // Of a sub-job: its policy's, of the default one the job's.
  virtual TopologyLimit LimitOf(JobIndex job, std::uint32_t sub_job) const = 0;
  // 0 to 1: how full the domain gets with the request; 0 where it exceeds what the domain has.
  virtual double Fullness(const ResourceVector& request, DomainIndex d) = 0;
  // 0 to 1: how close a leaf is to what a job holds by now.
  virtual double Closeness(DomainIndex held, DomainIndex leaf) const = 0;
  // What scores of nodes and of domains are multiplied by.
  virtual double weight() const = 0;
  // What is wrong with the domains.
  virtual void ReportDomains(CycleResult& result) const = 0;

 protected:
  ~TopologyOwner() = default;
};

}  // namespace batholith
