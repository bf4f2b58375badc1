#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith {

// Composite groups above a group of pods that are looked at; servers allow four.
constexpr int kDeepestComposite = 8;

// The composite groups around a group, the closest first, as far as they can be told.
struct CompositePath {
  std::vector<const CompositePodGroupRecord*> around;
  std::string why;  // they are not all: one is not there, or it goes on too long; empty: they are
};

// Finds the composite groups around others. `objects` must outlive it.
class CompositeIndex {
 public:
  explicit CompositeIndex(const ClusterObjects& objects);

  // `name`: of the closest one; empty: there is none. Cost: O(depth × log composite groups).
  CompositePath Around(const std::string& namespace_, const std::string& name) const;

 private:
  std::map<std::string, const CompositePodGroupRecord*> by_key_;
};

}  // namespace batholith
