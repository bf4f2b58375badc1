#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "test/fuzz/byte_source.h"

namespace batholith::fuzz {

// Manifests of a small cluster: up to 4 nodes, 4 queues, 4 groups and 12 pods, with quotas, node
// groups, buffers and jobs now and then, and odd values in any field. Some are such that a reader
// refuses them.
std::vector<boost::json::value> MakeManifests(ByteSource& bytes);

// The text of a scheduler conf: the default one, or actions and plugins in any order with odd
// arguments, which may be refused.
std::string MakeConf(ByteSource& bytes);

}  // namespace batholith::fuzz
