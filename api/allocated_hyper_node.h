#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/objects.h"

namespace batholith {

// On a PodGroup: the closest HyperNode around its pods, for people and for other programs.
inline constexpr std::string_view kAllocatedHyperNode = "volcano.sh/job-allocated-hypernode";

// Whether the group says what JobStatus::hyper_node does, which may be nothing.
bool HasHyperNode(const std::optional<std::string>& hyper_node, const PodGroupRecord& group);
// Makes it say so. False: it did before.
bool ChangeHyperNode(const std::optional<std::string>& hyper_node, PodGroupRecord& group);

}  // namespace batholith
