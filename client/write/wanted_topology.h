#pragma once

#include <optional>

#include "client/write/wanted_status.h"

// What a session wants written of where nodes are and who uses them; see wanted_status.h. Pure.
namespace batholith {

// Adds to the patch of a PodGroup, or makes one, where its annotation says another HyperNode than
// the session.
void AddHyperNode(const SeenObject& seen, const JobStatus& status, std::optional<Patch>& patch);
std::optional<Patch> WantedShard(const SeenObject& seen, const ShardStatus& status,
                                 const WriteStamp& stamp);

}  // namespace batholith
