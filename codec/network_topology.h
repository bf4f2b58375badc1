#pragma once

#include <boost/json/object.hpp>
#include <optional>

#include "api/network_topology.h"
#include "codec/json/field.h"

namespace batholith {

// networkTopology of a PodGroup, a Job, or a part of either; absent: none is asked for.
std::optional<NetworkTopology> ReadNetworkTopology(const Field& field);
// Sets the field networkTopology of `spec`, where there is one.
void PutNetworkTopology(boost::json::object& spec, const std::optional<NetworkTopology>& topology);

}  // namespace batholith
