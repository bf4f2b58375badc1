#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/snapshot.h"

namespace batholith {

// The pods of groups that are not Volcano's, which say what the group does not. Pods are looked at
// only where there is such a group. Refers to the objects.
class GroupMembers {
 public:
  GroupMembers(const ClusterObjects& objects, std::span<const std::string> scheduler_names);

  // The queue that the group names, else the first of its pods that names one; empty: none does.
  std::string QueueOf(const PodGroupRecord& group) const;
  // Those of ours, in (creation time, uid) order.
  const std::vector<const PodRecord*>& Ours(const PodGroupRecord& group) const;
  // Why no pod of it may be placed: they name different schedulers. Empty: they do not.
  std::string HoldOf(const PodGroupRecord& group) const;
  // Whether some group is a gang of Koordinator.
  bool has_gangs() const { return has_gangs_; }

 private:
  struct Members {
    std::vector<const PodRecord*> ours;
    const PodRecord* other = nullptr;  // the first that another scheduler places
  };
  const Members& Of(const PodGroupRecord& group) const;

  std::map<std::string, Members> members_;  // by Identity of the group
  bool has_gangs_ = false;
};

// What belongs to a pod of such a group beyond its place in the job. REQUIRES: the pod is the last
// of the job's tasks.
void JoinForeignGroup(const PodRecord& pod, JobFacts& job, TaskFacts& facts);

}  // namespace batholith
