#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/result.h"
#include "api/snapshot.h"

namespace batholith {

struct SnapshotOptions {
  std::vector<std::string> scheduler_names{"volcano"};
  std::string default_queue = "default";
  TimeNs now = 0;
};

// Freezes the objects into a snapshot: schema first, then columns ordered by creation time and uid.
// Jobs of a queue that does not exist stay, with queue none. Errors: more than 32 resource names.
// Cost: O(objects log objects).
Result<std::shared_ptr<const Snapshot>> BuildSnapshot(std::shared_ptr<const ClusterObjects> objects,
                                                      const SnapshotOptions& options);

}  // namespace batholith
