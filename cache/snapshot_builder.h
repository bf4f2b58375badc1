#pragma once

#include <memory>

#include "api/snapshot.h"
#include "cache/snapshot_options.h"
#include "cache/snapshot_tables.h"

namespace batholith {

// Freezes the objects into a snapshot: schema first, then columns ordered by creation time and uid.
// Jobs of a queue that does not exist stay, with queue none. No object is refused: what cannot be
// counted costs whoever asks for it. Errors: none. Cost: O(objects log objects).
std::shared_ptr<const Snapshot> BuildSnapshot(std::shared_ptr<const ClusterObjects> objects,
                                              const SnapshotOptions& options);

// The same, with what it was built with, for whoever follows the objects.
struct BuiltSnapshot {
  std::shared_ptr<Snapshot> snapshot;
  std::unique_ptr<SnapshotTables> tables;
};
BuiltSnapshot BuildSnapshotAndTables(std::shared_ptr<const ClusterObjects> objects,
                                     const SnapshotOptions& options);

}  // namespace batholith
