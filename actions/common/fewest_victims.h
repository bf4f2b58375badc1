#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/session.h"

namespace batholith {

// How many victims each node needs at least before a preemptor fits there: what it lacks against
// the most that one task on it could give. The numbers of the class that was asked about last are
// kept as nodes are touched. Lives for one action.
class FewestVictims {
 public:
  explicit FewestVictims(const Session& session) : session_(session) {}

  // From now on it is asked for this preemptor. `wanted`: the resources that it asks for; it refers
  // to them. Cost: what was touched since the last call.
  void Set(TaskIndex preemptor, std::span<const std::size_t> wanted);
  // INT64_MAX: no victims there are enough. REQUIRES: no trial is under way. Cost: O(wanted) once,
  // until the node is touched.
  std::int64_t On(NodeIndex node);

 private:
  void FindLargest();
  std::int64_t Count(NodeIndex node) const;

  const Session& session_;
  TaskIndex preemptor_;
  std::span<const std::size_t> wanted_;
  std::size_t touched_ = 0;              // cursor into the session's log
  std::vector<std::int64_t> counts_;     // by NodeIndex; 0: not counted yet
  std::vector<ResourceVector> largest_;  // by NodeIndex: of what each task that may fall asks for
};

}  // namespace batholith
