#pragma once

#include "cache/snapshot_tables.h"

namespace batholith {

// Reads pods into facts. Lives while one snapshot is built or changed. REQUIRES: nodes, queues and
// the schema are read, and labels_matter is set.
class TaskReader {
 public:
  TaskReader(Snapshot& snapshot, SnapshotTables& tables) : snapshot_(snapshot), tables_(tables) {}

  // All but the pod's place in its job. Cost: next to nothing for a pod that asks for the same as
  // the one before.
  TaskFacts Read(const PodRecord& pod);

 private:
  bool IsLikeLast(const PodRecord& pod) const;
  void ReadRequest(const PodRecord& pod, TaskFacts& facts);
  ClassIndex ClassOf(const PodRecord& pod, const TaskFacts& facts);

  Snapshot& snapshot_;
  SnapshotTables& tables_;
  TaskFacts last_;  // of the last pod whose request and class were read
};

}  // namespace batholith
