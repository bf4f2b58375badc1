#pragma once

#include <map>
#include <string>
#include <vector>

#include "codec/load.h"

namespace batholith {

// Annotation scheduling.volcano.sh/group-min-member, at least 1; 1 where it is missing or no number
// (then with a word to `warnings`).
std::int32_t MinMemberOf(const Labels& annotations, const std::string& object,
                         std::vector<std::string>& warnings);

// The group of a pod of ours that has none and shares none; names it in the pod.
PodGroupRecord MakeGroupOf(PodRecord& pod, const std::string& default_queue,
                           std::vector<std::string>& warnings);

// The gang that Koordinator's annotations on its pods name, where no object of it is there.
// REQUIRES: the pod's group is such a gang.
PodGroupRecord MakeGangOf(const PodRecord& pod);
// What another scheduler's pod says of gangs that are not Kubernetes' is between them.
void ForgetForeignGang(PodRecord& pod);
// Whether the annotations alone name the pod's group.
bool NamesGang(const PodRecord& pod);

// Volcano's group controller: pods of ours without a group get one, shared by the pods of one
// owner. Source: Volcano's podgroup controller, which makes PodGroup podgroup-<uid of the owner>.
// The owner's annotations say the minimum and what is Volcano's, where the owner is in the input:
// `owners` by namespace and uid.
void MakeGroups(const LoadOptions& options,
                const std::map<std::string, Labels, std::less<>>& owners, Loaded& loaded);

}  // namespace batholith
