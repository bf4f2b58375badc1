#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "api/resource_table.h"
#include "api/snapshot.h"

namespace batholith {

// The tree of hierarchical DRF: queues stand where their annotation volcano.sh/hierarchy puts them,
// jobs are leaves. Shares are kept up to date by Add; they are doubles, as the rescaling of
// siblings has no exact counterpart. Source: hierarchical DRF
// (Bhattacharya et al., SoCC 2013) as Volcano's plugin drf has it.
class DrfTree {
 public:
  DrfTree(const Snapshot& snapshot, const ResourceTable& job_allocated,
          const ResourceTable& job_request);

  // Adds (sign 1) or takes (sign -1) what the job holds, and computes the shares anew. Cost: O(tree
  // × dimensions).
  void Add(JobIndex job, const ResourceVector& amount, int sign);
  // From the root: unsaturated before saturated, then the smaller share by weight; level by level.
  std::weak_ordering CompareQueues(QueueIndex a, QueueIndex b) const;

 private:
  struct Node {
    double weight = 1;
    std::vector<std::size_t> children;
    bool leaf = false;
    ResourceVector request;  // leaves
    ResourceVector allocated;
    double share = 0;
    bool saturated = false;
  };

  std::size_t Child(std::size_t parent, const std::string& name, double weight);
  void Recompute();
  void Update(std::size_t node);
  double ShareOf(const ResourceVector& allocated) const;

  const Snapshot& snapshot_;
  std::size_t dims_;
  std::vector<Node> nodes_;  // 0 is the root
  std::map<std::pair<std::size_t, std::string>, std::size_t> by_name_;
  std::vector<std::vector<std::size_t>> queue_path_;  // from below the root to the queue
  std::vector<std::size_t> job_leaf_;
  ResourceVector allocated_;  // of all jobs
};

}  // namespace batholith
