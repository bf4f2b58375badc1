#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "cache/renumber.h"
#include "cache/snapshot_tables.h"
#include "cache/task_reader.h"

namespace batholith {

// Brings a snapshot to what its pods, pod groups and nodes say now, as if it were built anew; only
// the numbers of its base classes may be others. Lives for one change. What it cannot follow is
// left to a new snapshot: resources that nobody asked for before, pods and groups that others
// depend on, and whatever else the objects are.
class SnapshotUpdate {
 public:
  struct Changes {
    ChangedPlaces& pods;
    ChangedPlaces& groups;
    const std::vector<std::uint32_t>& nodes;  // that say something else; see OfferTheSame
    // Where each Volcano group stands in the objects, by its key.
    const std::unordered_map<std::string, std::size_t>& group_places;
    bool pods_stand_elsewhere = false;    // all of them, in memory
    bool groups_stand_elsewhere = false;  // likewise
  };

  SnapshotUpdate(Snapshot& snapshot, SnapshotTables& tables, Changes changes);

  // False: somebody changed whom it cannot follow; the snapshot is as it was.
  bool CanFollow() const;
  // REQUIRES: it can. Cost: O(changes · log pods), and O(pods + groups) of a few nanoseconds where
  // something goes, or does not come to the end.
  void Follow();

 private:
  bool CanFollowPods() const;
  bool CanFollowGroups() const;
  bool CanFollowNodes() const;
  bool IsOrdinary(const PodRecord& pod) const;
  bool IsOrdinary(const PodGroupRecord& group) const;

  void ReadNodes();
  void TakeOffPods();
  void TakeOutPods();
  void TakeOutGroups();
  void PutInGroups();
  void PutInPods();
  void ReadPod(std::uint32_t place);
  void AdoptPods();
  void ReadJobs();
  void FindHopeless();
  void SumUp();
  void TellQueues();

  Standing* standing() const { return tables_.standing.get(); }
  void TakeOff(TaskIndex t);
  JobIndex JobOf(const PodRecord& pod) const;
  void Join(TaskIndex t, JobIndex job);
  void Leave(TaskIndex t);
  void RenumberTasks(const Renumbering& numbers);
  void RenumberJobs(const Renumbering& numbers);
  void MarkAnew(TaskIndex t);

  Snapshot& snapshot_;
  SnapshotTables& tables_;
  Changes changes_;
  const std::vector<std::uint32_t> pods_;    // places that are touched
  const std::vector<std::uint32_t> groups_;  // likewise
  std::vector<JobIndex> jobs_;               // to be read again; may name one twice
  TaskReader task_reader_;
  bool usable_changed_ = false;  // of a node
  bool jobs_moved_ = false;      // between queues, or are numbered anew
};

}  // namespace batholith
