#pragma once

#include <vector>

#include "api/result.h"
#include "api/snapshot.h"

namespace batholith {

// Every resource that the objects and the templates behind the buffers name. Errors: nodes, pods,
// queues and groups name more than ResourceVector holds.
Result<ResourceSchema> SchemaOf(const ClusterObjects& objects,
                                const std::vector<BufferFacts>& buffers);

}  // namespace batholith
