#pragma once

#include <utility>
#include <vector>

#include "api/resource_vector.h"

namespace batholith {

// What is left of some owners' sums (jobs, namespaces, queues) while victims are weighed: an
// owner's sum is copied when it is first asked for. For the few owners that stand on one node.
template <typename Owner>
class RunningSums {
 public:
  // Valid until the next call.
  ResourceVector& Of(Owner owner, const ResourceVector& start) {
    for (auto& [known, sum] : sums_) {
      if (known == owner) return sum;
    }
    return sums_.emplace_back(owner, start).second;
  }

 private:
  std::vector<std::pair<Owner, ResourceVector>> sums_;
};

}  // namespace batholith
