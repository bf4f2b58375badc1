#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith {

// Groups that start together, as one job with a sub-job for each: what a CompositePodGroup of
// scheduling.k8s.io is made of, and gangs that name each other by Koordinator's annotation.
struct GroupBundle {
  // Made for it: starts_with are its parts by Identity, in the order of their sub-jobs; its
  // sub-group policies say how many of them the bundle needs: the first one of all of it, then one
  // for each composite group below, after the one that it is a part of.
  std::shared_ptr<PodGroupRecord> record;
  std::vector<const PodGroupRecord*> parts;  // in (creation time, uid) order
  std::vector<std::int32_t> policies;        // of the parts, the policy of each
  std::string held;  // why it cannot start, whatever the cluster has; empty: nothing of the kind
};

// What parts of a bundle are ordered by: creation time, uid, name.
std::tuple<std::int64_t, std::string_view, std::string> AgeOf(const PodGroupRecord* group);

class GroupBundles {
 public:
  // Cost: O(groups); nothing is looked up where no group has a part in one.
  explicit GroupBundles(const ClusterObjects& objects);

  // The bundle that the group is a part of; nullptr: it starts by itself.
  const GroupBundle* Of(const PodGroupRecord& group) const;

 private:
  using Groups = std::map<std::string, const PodGroupRecord*, std::less<>>;

  void AddNamed(const Groups& groups);
  void Keep(GroupBundle bundle);

  std::vector<GroupBundle> bundles_;
  std::map<std::string, std::size_t> by_part_;  // by Identity
};

}  // namespace batholith
