#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith {

// Groups that start together, as one job with a sub-job for each: what a CompositePodGroup of
// scheduling.k8s.io is made of, and gangs that name each other by Koordinator's annotation.
struct GroupBundle {
  // Made for it: starts_with are its parts by Identity, in the order of their sub-jobs; its one
  // sub-group policy says how many of them the bundle needs.
  std::shared_ptr<PodGroupRecord> record;
  std::vector<const PodGroupRecord*> parts;  // in (creation time, uid) order
  std::string held;  // why it cannot start, whatever the cluster has; empty: nothing of the kind
};

class GroupBundles {
 public:
  // Cost: O(groups); nothing is looked up where no group has a part in one.
  explicit GroupBundles(const ClusterObjects& objects);

  // The bundle that the group is a part of; nullptr: it starts by itself.
  const GroupBundle* Of(const PodGroupRecord& group) const;

 private:
  using Groups = std::map<std::string, const PodGroupRecord*, std::less<>>;
  using Composites = std::map<std::string, const CompositePodGroupRecord*, std::less<>>;

  void AddComposites(const ClusterObjects& objects);
  void AddNamed(const Groups& groups);
  void Keep(GroupBundle bundle, std::int32_t needed);

  std::vector<GroupBundle> bundles_;
  std::map<std::string, std::size_t> by_part_;  // by Identity
};

}  // namespace batholith
