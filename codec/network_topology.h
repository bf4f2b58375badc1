#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/objects.h"
#include "codec/json/field.h"

namespace batholith {

// networkTopology of a PodGroup, a Job, or a part of either; absent: none is asked for.
std::optional<NetworkTopology> ReadNetworkTopology(const Field& field);
// The topology key of a group of scheduling.k8s.io, by its spec.
std::optional<NetworkTopology> ReadTopologyKey(const Field& spec);
// Sets the field schedulingConstraints of `spec`, where there is a key.
void PutTopologyKey(boost::json::object& spec, const std::optional<NetworkTopology>& topology);
// What annotations of a workload or a pod ask for, for the group that is made of its pods; absent:
// nothing. `warnings` hear of what is not understood in those of `object`. Source: Volcano's
// podgroup controller.
std::optional<NetworkTopology> TopologyInAnnotations(const Labels& annotations,
                                                     const std::string& object,
                                                     std::vector<std::string>& warnings);
// Sets the field networkTopology of `spec`, where there is one.
void PutNetworkTopology(boost::json::object& spec, const std::optional<NetworkTopology>& topology);

}  // namespace batholith
