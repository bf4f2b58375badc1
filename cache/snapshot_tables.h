#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/standing.h"
#include "cache/minimums.h"
#include "cache/pod_marks.h"
#include "cache/priority_classes.h"
#include "cache/snapshot_options.h"

namespace batholith {

// What is known of a job beyond its facts.
struct JobNotes {
  Minimums::LeftOut left_out = Minimums::kNothing;
  // What it is hangs on more than its own group and pods, or on how others were read before it.
  bool special = false;
};

// What pods and groups are read with: where each name stands in the snapshot, and what was read
// before. Belongs to one snapshot. All maps are looked up only.
struct SnapshotTables {
  SnapshotTables(const ClusterObjects& objects, SnapshotOptions o)
      : options(std::move(o)), priorities(objects.priority_classes) {}

  SnapshotOptions options;
  std::shared_ptr<ResourcePool> amounts = std::make_shared<ResourcePool>();
  std::unordered_map<std::string, NodeIndex> nodes;
  std::unordered_map<std::string, QueueIndex> queues;
  std::unordered_map<std::string, NamespaceIndex> namespaces;
  std::unordered_map<std::string, std::string> queue_of_namespace;
  std::unordered_map<std::string, ClassIndex> classes;  // by ClassKey
  PriorityClasses priorities;
  Minimums minimums;
  std::size_t own_notices = 0;  // of Snapshot::notices: those before what `minimums` tell
  std::vector<std::optional<bool>> fits_empty_node;  // by base class, once somebody asked
  std::vector<PodMarks> marks;                       // by task
  PodMarkCounts mark_counts;
  std::vector<JobNotes> notes;              // by job
  std::size_t namespaces_of_their_own = 0;  // those after them are known from their groups alone
  ResourceVector foreign;                   // what pods of other schedulers hold
  std::shared_ptr<Standing> standing;       // the snapshot's, where it has one
};

}  // namespace batholith
