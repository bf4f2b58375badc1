#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <span>

#include "framework/pipeline.h"

namespace batholith::fuzz {

// Decodes the manifests, runs a few sessions on them and checks what must hold of each, whatever
// the conf: binds are legal, nodes are not over-committed, gangs come whole where `gangs`, and what
// is left reads back from a dump.
void RunAndCheck(std::span<const boost::json::value> manifests,
                 std::shared_ptr<const Pipeline> pipeline, bool gangs, bool recreate);

}  // namespace batholith::fuzz
