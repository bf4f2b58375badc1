#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/capacity_buffer.h"
#include "api/objects.h"
#include "api/result.h"

// How many chunks a capacity buffer keeps room for. Source: the status of Kubernetes'
// CapacityBuffer, whose limits and percentage are rounded so.
namespace batholith {

// min(max(replicas, ceil(percentage × current / 100)), limits); the limits alone where neither size
// is given. `current`: replicas of the workload; none: the buffer refers to a template, of which a
// percentage says nothing. `request`: of a chunk. Errors: nothing sizes it; the limits name nothing
// that a chunk asks for.
Result<std::int64_t> BufferSize(const CapacityBufferRecord& buffer,
                                std::optional<std::int64_t> current, const ResourceList& request);

// A chunk as quotas see it.
struct QuotaChunk {
  std::string namespace_;
  std::string priority_class;  // empty: none
  const PodRecord* pod = nullptr;
};

// What the quotas of all namespaces leave for chunks. Buffers must ask in the order of
// IsServedBefore: the older one has its chunks before the younger one.
class QuotaShares {
 public:
  // `quotas` outlives it.
  explicit QuotaShares(std::span<const ResourceQuotaRecord> quotas);

  struct Share {
    std::int64_t count = 0;
    std::vector<std::string> limited_by;  // names of the quotas that left fewer than were wanted
  };
  // Takes what there is, `wanted` chunks at most. Cost: O(quotas of the namespace).
  Share Take(const QuotaChunk& chunk, std::int64_t wanted);

 private:
  struct Quota {
    const ResourceQuotaRecord* record = nullptr;
    ResourceList given;  // to chunks
  };
  std::map<std::string, std::vector<Quota>> by_namespace_;
};

}  // namespace batholith
