#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith {

// What the volume controller of Kubernetes finds for claims that wait for no pod: the volume that
// they name, one that is kept for them, the smallest of their class that is large enough, or a new
// one. Looks at `objects` as they are when it is made; a volume that was found is taken. Source:
// syncUnboundClaim of Kubernetes' PersistentVolume controller.
class ClaimMatcher {
 public:
  explicit ClaimMatcher(const ClusterObjects& objects);

  struct Match {
    const StorageClassRecord* provisions = nullptr;  // nullptr: it is a volume that exists,
    std::size_t volume = 0;                          // this one
  };
  // Nothing: it is bound, waits for its pod, or there is none for it. Cost: O(volumes of the class
  // that are large enough); after many looks claims find nothing, and are for the next time.
  std::optional<Match> Find(const PersistentVolumeClaimRecord& claim);

 private:
  std::optional<Match> FindNamed(const PersistentVolumeClaimRecord& claim);
  std::optional<Match> FindKept(const PersistentVolumeClaimRecord& claim);
  std::optional<Match> FindOpen(const PersistentVolumeClaimRecord& claim);
  Match Take(std::size_t volume);

  const ClusterObjects& objects_;
  std::unordered_map<std::string_view, const StorageClassRecord*> classes_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> open_;  // by class, smallest first
  std::map<std::string, std::vector<std::size_t>, std::less<>> kept_;    // by the claim's key
  std::vector<bool> taken_;
  std::size_t looks_ = 0;
};

// Of what the claim says. The class has to be there and its claims wait for a pod.
bool WaitsForPod(const StorageClassRecord* storage, const PersistentVolumeClaimRecord& claim);

}  // namespace batholith
