#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/objects.h"

namespace batholith {

// How many groups each policy of a job has formed. A group is a sub-job, or all of a policy that is
// a part of another one: that counts there as one group once it has its own minimum.
class SubGroupCounts {
 public:
  // Nothing is formed. `policies` must outlive it.
  explicit SubGroupCounts(const std::vector<SubGroupPolicy>& policies);

  // One more sub-job of the policy is formed, or one less. Cost: O(depth).
  void Add(std::int32_t policy);
  void Remove(std::int32_t policy);

  // Whether the policy has its minimum.
  bool Met(std::int32_t policy) const;
  // Groups that it lacks of its minimum.
  std::int32_t Missing(std::int32_t policy) const;
  // Whether all do that are a part of no other.
  bool Met() const;
  // Whether the job would have all that it needs without one of the policy's sub-jobs.
  bool CanSpare(std::int32_t policy) const;

 private:
  const SubGroupPolicy& Of(std::int32_t policy) const {
    return (*policies_)[static_cast<std::size_t>(policy)];
  }

  const std::vector<SubGroupPolicy>* policies_;
  std::vector<std::int32_t> formed_;  // by policy
};

}  // namespace batholith
