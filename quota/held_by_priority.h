#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "quota/forest.h"

namespace batholith {

// What the assigned pods of each quota hold that the quota itself may take from them, by their
// priority. Amounts in tree units.
class HeldByPriority {
 public:
  explicit HeldByPriority(std::size_t quotas) : held_(quotas) {}

  void Add(QuotaIndex q, const QuotaPod& pod) {
    if (pod.preemptible) held_[q.value()][pod.priority] += pod.request;
  }
  // Of pods that are less important than `priority`. Cost: O(priorities).
  ResourceVector Below(QuotaIndex q, std::int32_t priority) const {
    ResourceVector sum;
    for (const auto& [of, held] : held_[q.value()]) {
      if (of >= priority) break;
      sum += held;
    }
    return sum;
  }

 private:
  std::vector<std::map<std::int32_t, ResourceVector>> held_;  // by quota
};

}  // namespace batholith
