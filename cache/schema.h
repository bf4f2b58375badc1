#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/snapshot.h"

namespace batholith {

struct SchemaChoice {
  ResourceSchema schema;
  std::vector<std::string> notices;  // which names found no room
};

// The resources that are counted: cpu, memory and pods; what nodes have; what nodes to come would
// have (`offers`, and the templates of node groups); what queues and elastic quotas list. Of more
// than ResourceVector holds, those that come first in this order, offered by the most nodes, then
// by name. What only pods name is never counted, so no pod can take a dimension from anybody. Cost:
// O(nodes + queues + quotas); no pod is looked at.
SchemaChoice ChooseSchema(const ClusterObjects& objects, std::span<const std::string> offers);

}  // namespace batholith
