#pragma once

#include <string>
#include <vector>

#include "api/snapshot.h"
#include "framework/session_state.h"

namespace batholith {

// Pure tests of Kubernetes' selectors, as kube-scheduler has them.
bool MatchesRequirement(const Requirement& requirement, const Labels& labels);
bool MatchesSelector(const LabelSelector& selector, const Labels& labels);
// spec.nodeSelector and the required node affinity.
bool MatchesNode(const PodConstraints& constraints, const NodeRecord& node);
bool MatchesNodeTerm(const NodeSelectorTerm& term, const NodeRecord& node);
bool Tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);
// Whether the term of a pod in `own_namespace` means this pod.
bool MatchesAffinityTerm(const PodAffinityTerm& term, const std::string& own_namespace,
                         const PodRecord& pod, const Snapshot& snapshot);
const std::string* LabelOf(const NodeRecord& node, const std::string& key);

// The tasks that stand on nodes now, pipelined ones too, without those that this session evicted:
// what affinity and spread count. In index order.
std::vector<TaskIndex> StandingTasks(const Snapshot& snapshot, const SessionState& state);

}  // namespace batholith
