#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "api/snapshot.h"

namespace batholith {

// Finds the sub-job of each pod. Lives while one snapshot is built.
class SubJobs {
 public:
  // The first policy of the job whose selector and label keys match names the sub-job, together
  // with the pod's values; one without label keys tells no sub-jobs apart, so it matches no pod.
  // Adds the sub-job where it is new; returns its place, 0 where no policy matches. Source:
  // spec.subGroupPolicy of Volcano's PodGroup.
  std::uint32_t Join(const PodRecord& pod, JobFacts& job);

 private:
  std::unordered_map<std::string, std::size_t> known_;  // by job, policy and name; looked up only
};

}  // namespace batholith
