#include "codec/session_memory.h"

#include <boost/describe.hpp>
#include <boost/json.hpp>

namespace batholith {

BOOST_DESCRIBE_STRUCT(WantedCount, (), (at, count))
BOOST_DESCRIBE_STRUCT(PlaceholderSource, (), (name, size, nodes, reason, window, expendable))
BOOST_DESCRIBE_STRUCT(SlackReport, (),
                      (ran, sources, desired, reserved, unmet, pushed_out, node_gone, resized,
                       trimmed, evaluations))
BOOST_DESCRIBE_STRUCT(GroupBackoff, (), (failures, last_failure, until))
BOOST_DESCRIBE_STRUCT(SizeAtLoad, (), (size, cpu_m, memory, at, lighter_since))
BOOST_DESCRIBE_STRUCT(GroupMemory, (),
                      (last_size, requested_at, timed_out, backoff, shrunk, regretted))
BOOST_DESCRIBE_STRUCT(NodeMemory, (), (unneeded_since, unready_since, starting, unremovable_until))
BOOST_DESCRIBE_STRUCT(RemovalMemory, (), (at, drained))
BOOST_DESCRIBE_STRUCT(ScaleFailure, (), (group, removals, at))
BOOST_DESCRIBE_STRUCT(AutoscaleMemory, (),
                      (first_decision, last_decision, last_scale_up, last_removal,
                       last_removal_failure, draws, groups, nodes, removals, failures))
BOOST_DESCRIBE_STRUCT(NodeGroupStatus, (),
                      (name, min, max, current, target, recommended, for_pods, for_slack,
                       for_min_size, reason, closed, object))
BOOST_DESCRIBE_STRUCT(NodeGroupOrder, (),
                      (group, from, to, removals, removal_reasons, target, machines, stale_marks))
BOOST_DESCRIBE_STRUCT(AutoscaleReport, (),
                      (ran, applies, groups, orders, notes, blocked, unneeded, memory))
BOOST_DESCRIBE_STRUCT(SessionMemory, (), (slack, autoscale))

boost::json::value Encode(const SessionMemory& memory) { return boost::json::value_from(memory); }

SessionMemory ReadSessionMemory(const Field& field) {
  if (!field.present()) return {};
  auto memory = boost::json::try_value_to<SessionMemory>(*field.value());
  if (!memory) field.Fail("is not a memory of a session: " + memory.error().message());
  return std::move(*memory);
}

}  // namespace batholith
