#include "framework/action_needs.h"

namespace batholith {

void ActionNeeds::Add(const ActionNeeds& more) {
  if (consumers.empty()) consumers = more.consumers;
  node_resources.insert(node_resources.end(), more.node_resources.begin(),
                        more.node_resources.end());
  reads_buffers = reads_buffers || more.reads_buffers;
  reads_node_groups = reads_node_groups || more.reads_node_groups;
}

}  // namespace batholith
