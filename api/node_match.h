#pragma once

#include <span>

#include "api/label_match.h"
#include "api/objects.h"

// Pure matching, as Kubernetes does it.
namespace batholith {

bool MatchesTerm(const NodeSelectorTerm& term, const NodeRecord& node);
// One of the terms: no term matches nothing.
bool MatchesAnyTerm(std::span<const NodeSelectorTerm> terms, const NodeRecord& node);
// Node selector and required node affinity.
bool MatchesNode(const PodConstraints& constraints, const NodeRecord& node);

bool Tolerates(const Toleration& toleration, const Taint& taint);
bool Tolerates(std::span<const Toleration> tolerations, const Taint& taint);
// The first taint that keeps a pod away (NoSchedule, NoExecute) and is not tolerated, or nullptr.
const Taint* UntoleratedTaint(std::span<const Toleration> tolerations, const NodeRecord& node);

bool PortsConflict(const HostPort& a, const HostPort& b);

}  // namespace batholith
