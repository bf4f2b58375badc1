#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/json/field.h"
#include "sim/scenario/scenario.h"

namespace batholith {

// The objects that one block (a scenario's spec, an event) names, in the order in which the file
// names them, replicas written out. `plain_field` is what the block calls its plain objects:
// `objects`, `add` or `update`. Throws a FieldError.
std::vector<Manifest> CollectManifests(const Field& block, std::string_view plain_field,
                                       const Field& replicate, const std::string& folder);

// Queues and namespaces that jobs of short form name and nobody declares.
std::vector<Manifest> ImpliedObjects(const Field& block, const std::vector<Manifest>& declared);

// How many of them are of short forms or copies. A scenario may have kMaxMadeObjects of them in
// all.
std::int64_t MadeOf(const std::vector<Manifest>& manifests);

// "Kind/namespace/name", or "Kind/name" for a cluster-scoped kind.
std::string ReferenceOf(const boost::json::value& object);

}  // namespace batholith
