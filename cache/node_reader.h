#pragma once

#include "cache/snapshot_tables.h"

namespace batholith {

// What the node says of itself. REQUIRES: the schema is read.
NodeFacts ReadNode(const NodeRecord& node, const Snapshot& snapshot, SnapshotTables& tables);

// Whether both have some of the same resources, and list the same others at 0, so that the schema
// is the same with one or the other.
bool OfferTheSame(const NodeRecord& a, const NodeRecord& b);

}  // namespace batholith
