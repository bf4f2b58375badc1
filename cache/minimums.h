#pragma once

#include <set>
#include <string_view>

#include "api/snapshot.h"

namespace batholith {

// Reads spec.minResources of pod groups. Names that are no resource of a node are left out and told
// together. Lives while one snapshot is built, whose records it looks into.
class Minimums {
 public:
  // REQUIRES: the snapshot has its schema.
  void Read(const ResourceList& list, Snapshot& snapshot, ResourcePool& amounts, JobFacts& facts);
  void Tell(Snapshot& snapshot) const;

 private:
  std::set<std::string_view> left_out_;
};

}  // namespace batholith
