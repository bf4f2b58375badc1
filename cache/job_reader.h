#pragma once

#include <optional>
#include <string>

#include "cache/snapshot_tables.h"
#include "cache/sub_jobs.h"

namespace batholith {

// The namespace of that name, which is added where it is new.
NamespaceIndex NamespaceNamed(const std::string& name, Snapshot& snapshot, SnapshotTables& tables);

// Whether what becomes of the group hangs on more than itself and its pods.
bool IsSpecial(const PodGroupRecord& group);

// Reads pod groups into facts, then their pods into those. Lives while one snapshot is built or
// changed. REQUIRES: queues, namespaces and the schema are read.
class JobReader {
 public:
  JobReader(Snapshot& snapshot, SnapshotTables& tables) : snapshot_(snapshot), tables_(tables) {}

  // What the group says without its pods. `queue` is the one that it names, or its pods do.
  JobFacts Read(const PodGroupRecord& group, std::string key, const std::string& queue,
                JobNotes& notes);
  // The pod becomes the last task of the job. `part`: its sub-job, where the job stands for several
  // groups. REQUIRES: called in the order of tasks.
  void Join(const PodRecord& pod, TaskIndex index, std::optional<std::uint32_t> part, JobFacts& job,
            TaskFacts& facts);

 private:
  const std::string& QueueOf(const std::string& named, const std::string& namespace_) const;

  Snapshot& snapshot_;
  SnapshotTables& tables_;
  SubJobs sub_jobs_;
};

}  // namespace batholith
