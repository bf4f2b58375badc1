#pragma once

#include <optional>

#include "actions/common/domain_candidates.h"
#include "framework/node_chooser.h"
#include "framework/region_chooser.h"

namespace batholith {

// Whether the job, or a part of it, has a hard topology with a limit.
bool HasHardTopology(const JobFacts& job);
// Such a job where no plugin knows which nodes are close to each other: nobody may place it.
bool IsHeldForTopology(const Session& session, JobIndex job);

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
