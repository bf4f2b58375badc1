#pragma once

#include <boost/json/value.hpp>

#include "client/watch/server_state.h"
#include "codec/kube_kinds.h"

namespace batholith {

// Of an object of that kind what is compared when it is written to. Pure.
SeenObject SeenObjectOf(const KubeKind& kind, const boost::json::value& object);

}  // namespace batholith
