#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "api/objects.h"
#include "codec/json/field.h"

// Groups of pods that are not Volcano's, as the records of groups that all plugins know.
namespace batholith {

// The gang that Koordinator's annotations name on a pod; on its group they say more of it.
inline constexpr std::string_view kGangName = "gang.scheduling.koordinator.sh/name";

// scheduling.k8s.io, in any version. Policy basic has a minimum of 0.
PodGroupRecord ReadKubernetesGroup(const Field& object);
// scheduling.x-k8s.io and scheduling.sigs.k8s.io, by the API group of the object.
PodGroupRecord ReadCoschedulingGroup(const Field& object);

// What Koordinator's annotations on the record say: mode and groups. Where no object of a group is
// there, those of its pods say the minimum too: `with_minimum`. What cannot be read is a flaw.
void ReadGangAnnotations(bool with_minimum, PodGroupRecord& group);

// REQUIRES: it is not Volcano's. As its own API has it; reading it back gives the same record.
boost::json::object EncodeForeignGroup(const PodGroupRecord& group);

// The group of a pod by scheduling.k8s.io, or where the pod has none of Volcano's by the others:
// name and suffix; empty: none.
std::string KubernetesGroupOf(const Field& spec);
std::string CoschedulingGroupOf(const ObjectMeta& pod);

}  // namespace batholith
