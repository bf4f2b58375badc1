#pragma once

#include <optional>
#include <vector>

#include "api/snapshot.h"

namespace batholith {

// What usable nodes could hold if they were empty: by request, node selector and taints. Lives
// while one snapshot is built or changed; `known` stays valid as long as the nodes do.
class EmptyNodes {
 public:
  EmptyNodes(const Snapshot& snapshot, std::vector<std::optional<bool>>& known)
      : snapshot_(snapshot), holds_(known) {
    holds_.resize(snapshot.base_classes);
  }

  // See JobFacts. Cost: a look at each of its pods; O(nodes) once for a class that no node holds.
  bool FitsNowhere(const JobFacts& job);

 private:
  bool Hold(const TaskFacts& task);

  const Snapshot& snapshot_;
  std::vector<std::optional<bool>>& holds_;  // by base class, once somebody asked
};

}  // namespace batholith
