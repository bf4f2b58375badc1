#pragma once

#include "api/objects.h"
#include "codec/json/field.h"

namespace batholith {

// What a pod, or the pods of a group, ask of their places that this build does not do.
// REQUIRES: of a pod its group, request and annotations are read.
PlacementNeeds NeedsOfPod(const Field& spec, const PodRecord& pod);
// Of a PodGroup or CompositePodGroup of scheduling.k8s.io.
PlacementNeeds NeedsOfKubernetesGroup(const Field& spec);

}  // namespace batholith
