#pragma once

#include <map>

#include "framework/session.h"

namespace batholith {

// What real pods leave of the nodes after the actions so far: idle, without what is kept for
// pipelined pods. A picture of the moment it is made. Cost: O(moved tasks).
class SpareRoom {
 public:
  explicit SpareRoom(const Session& session);
  ResourceVector Of(NodeIndex node) const;

 private:
  const Session& session_;
  std::map<NodeIndex, ResourceVector> pipelined_;
};

// Whether the term selects the pod that has it.
bool SelectsItself(const PodAffinityTerm& term, const PodRecord& pod);

}  // namespace batholith
