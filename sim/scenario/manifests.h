#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "api/result.h"
#include "sim/scenario/scenario.h"

namespace batholith {

// The objects that one block (a scenario's spec, an event) names, in the order in which the file
// names them, replicas written out. `fields` maps what the block calls its plain objects: `objects`
// or `add`. `path` begins each message.
Result<std::vector<Manifest>> CollectManifests(const boost::json::object& block,
                                               std::string_view plain_field,
                                               const boost::json::object& replicate,
                                               const std::string& folder, const std::string& path);

// Queues and namespaces that jobs of short form name and nobody declares.
std::vector<Manifest> ImpliedObjects(const boost::json::object& block,
                                     const std::vector<Manifest>& declared);

// How many of them are of short forms or copies. A scenario may have kMaxMadeObjects of them in
// all.
std::int64_t MadeOf(const std::vector<Manifest>& manifests);

// "Kind/namespace/name", or "Kind/name" for a cluster-scoped kind.
std::string ReferenceOf(const boost::json::value& object);

}  // namespace batholith
