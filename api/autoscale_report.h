#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/objects.h"

namespace batholith {

// Failed scale-ups of one group.
struct GroupBackoff {
  std::int64_t failures = 0;
  std::optional<TimeNs> last_failure;
  TimeNs until = 0;
  bool operator==(const GroupBackoff&) const = default;
};

inline bool IsBackedOff(const GroupBackoff& backoff, TimeNs now) {
  return backoff.failures > 0 && now < backoff.until;
}

// A size that was once given up, and what real pods asked for then.
struct SizeAtLoad {
  std::int64_t size = 0;
  std::int64_t cpu_m = 0;
  std::int64_t memory = 0;
  TimeNs at = 0;
  std::optional<TimeNs> lighter_since;  // since when they ask for less
  bool operator==(const SizeAtLoad&) const = default;
};

struct GroupMemory {
  std::int64_t last_size = 0;          // nodes that were to stay
  std::optional<TimeNs> requested_at;  // since when nodes are on their way
  bool timed_out = false;              // they did not come: not waited for any more
  GroupBackoff backoff;
  std::optional<SizeAtLoad> shrunk;     // before the last removal
  std::optional<SizeAtLoad> regretted;  // a removal after which nodes had to come back
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

// An order that was not carried out, or only in part.
struct ScaleFailure {
  std::string group;
  std::vector<std::string> removals;  // nodes that stay; empty: the group could not be resized
  TimeNs at = 0;
  bool operator==(const ScaleFailure&) const = default;
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
  std::vector<ScaleFailure> failures;  // told since the last decision; the next takes them in
  bool operator==(const AutoscaleMemory&) const = default;
};

struct NodeGroupStatus {  // of each group that action autoscale looks after
  std::string name;
  std::int32_t min = 0;
  std::int32_t max = 0;
  std::int32_t current = 0;       // nodes that are there
  std::int32_t target = 0;        // nodes that were asked for before the session
  std::int32_t recommended = 0;   // nodes that it should have
  std::int32_t for_pods = 0;      // of those to come: for real pods
  std::int32_t for_slack = 0;     // and for placeholders
  std::int32_t for_min_size = 0;  // and because it is below its minimum
  std::string reason;             // one sentence
  std::string closed;             // why it takes no more, in one word; empty: it would
  std::string object;             // name of its NodeGroupRecord; empty: only the conf knows it
  bool operator==(const NodeGroupStatus&) const = default;
};

// A size that is to be written, mode apply only.
struct NodeGroupOrder {
  std::string group;
  std::int32_t from = 0;  // what was read
  std::int32_t to = 0;
  std::vector<std::string> removals;         // nodes that go, counted in `to`
  std::vector<std::string> removal_reasons;  // of each: empty, underutilized, unready
  std::string target;  // name of the NodeGroupRecord whose size it is; empty: none is there
  std::vector<std::string> machines;  // by removal: its Machine, namespace/name; empty: none known
  std::vector<std::string> stale_marks;  // Machines that were to go once, and stay
  bool operator==(const NodeGroupOrder&) const = default;
};

// What action autoscale decided. The next session starts from its memory.
struct AutoscaleReport {
  bool ran = false;      // the session had the action, and its mode was not off
  bool applies = false;  // its mode is apply
  std::vector<NodeGroupStatus> groups;
  std::vector<NodeGroupOrder> orders;
  std::vector<std::string> notes;               // what gets no node, and what goes: a sentence each
  std::map<std::string, std::int32_t> blocked;  // nodes that stay, by reason
  std::int32_t unneeded = 0;                    // nodes that could go
  AutoscaleMemory memory;
  bool operator==(const AutoscaleReport&) const = default;
};

}  // namespace batholith
