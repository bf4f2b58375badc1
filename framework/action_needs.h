#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace batholith {

// Who may use the room of placeholders; nobody named: anybody.
struct SlackConsumers {
  std::optional<std::int32_t> min_priority;
  std::vector<std::string> queues;
  bool empty() const { return !min_priority && queues.empty(); }
};

// What must be there for an action, by its options, before it runs: whoever opens sessions and
// watches a cluster provides it.
struct ActionNeeds {
  SlackConsumers consumers = {};                 // for whom room is held
  std::vector<std::string> node_resources = {};  // of nodes that it may bring
  bool reads_buffers = false;                    // CapacityBuffers
  bool reads_node_groups = false;                // MachineDeployments and Machines

  // What both need. Consumers are named by one action only.
  void Add(const ActionNeeds& more);
};

}  // namespace batholith
