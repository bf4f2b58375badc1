#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "autoscale/backoff.h"

namespace batholith {

struct GroupMemory {
  std::int64_t last_size = 0;          // nodes that were to stay
  std::optional<TimeNs> requested_at;  // since when nodes are on their way
  bool timed_out = false;              // they did not come: not waited for any more
  GroupBackoff backoff;
  bool operator==(const GroupMemory&) const = default;
};

// Only of nodes of which there is something to remember.
struct NodeMemory {
  std::optional<TimeNs> unneeded_since;
  std::optional<TimeNs> unready_since;
  bool starting = false;  // unready, and has never been ready
  std::optional<TimeNs> unremovable_until;
  bool operator==(const NodeMemory&) const = default;
};

// A node that an applied decision took out and that is still there.
struct RemovalMemory {
  TimeNs at = 0;
  bool drained = false;  // had pods
  bool operator==(const RemovalMemory&) const = default;
};

// What decisions remember, by name, so that it survives sessions and node indices. Empty after a
// restart: sizes are read from the cluster, clocks start again.
struct AutoscaleMemory {
  std::optional<TimeNs> first_decision;
  std::optional<TimeNs> last_decision;
  std::optional<TimeNs> last_scale_up;  // of any group, whoever did it
  std::optional<TimeNs> last_removal;
  std::optional<TimeNs> last_removal_failure;
  std::uint64_t draws = 0;  // of expander random
  std::map<std::string, GroupMemory, std::less<>> groups;
  std::map<std::string, NodeMemory, std::less<>> nodes;
  std::map<std::string, RemovalMemory, std::less<>> removals;
  bool operator==(const AutoscaleMemory&) const = default;
};

// A size that could not be written: the group stays out for a while. The nodes that were asked for
// are not expected. Call it between decisions.
void NoteScaleUpFailed(AutoscaleMemory& memory, const std::string& group, const AutoscaleConf& conf,
                       TimeNs now);
// A node that could not be taken out: nodes stay for delay_after_failure.
void NoteRemovalFailed(AutoscaleMemory& memory, const std::string& node, TimeNs now);

}  // namespace batholith
