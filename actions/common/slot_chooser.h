#pragma once

#include <optional>

#include "actions/common/domain_candidates.h"
#include "framework/node_chooser.h"
#include "framework/region_chooser.h"

namespace batholith {

// Finds nodes for pods that ask for nothing but a slot, also of jobs with a hard topology: inside
// its limit, around what they have; the first of them decides where, in the order of names. Lives
// for one action.
class SlotChooser {
 public:
  explicit SlotChooser(Session& session);

  NodeChoice Best(TaskIndex task);
  const UnfitHistogram& Explain(TaskIndex task) { return chooser_.Explain(task); }

 private:
  Session& session_;
  NodeChooser chooser_;
  std::optional<RegionChooser> regions_;  // once somebody asked
};

}  // namespace batholith
