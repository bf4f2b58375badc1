#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/node_scope.h"
#include "api/snapshot.h"

namespace batholith {

struct SnapshotOptions {
  std::vector<std::string> scheduler_names{"volcano"};
  std::string default_queue = "default";
  TimeNs now = 0;
  // Resources of nodes that are still to come, as Pipeline::node_resources tells them.
  std::vector<std::string> node_resources = {};
  NodeScope scope = {};           // which nodes are used
  PlacementNeedSet ignored = {};  // what the conf ignores of what this build does not do
};

// Freezes the objects into a snapshot: schema first, then columns ordered by creation time and uid.
// Jobs of a queue that does not exist stay, with queue none. No object is refused: what cannot be
// counted costs whoever asks for it. Errors: none. Cost: O(objects log objects).
std::shared_ptr<const Snapshot> BuildSnapshot(std::shared_ptr<const ClusterObjects> objects,
                                              const SnapshotOptions& options);

}  // namespace batholith
