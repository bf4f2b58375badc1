#pragma once

#include <string_view>

#include "client/watch/server_state.h"
#include "client/write/wanted_status.h"

namespace batholith {

// The patch that sets the state of a queue. Volcano's queue controller, which may run beside the
// scheduler, applies this field by server-side apply without force, so it would be refused for ever
// where anybody else owned it. Therefore the state is applied under the name that the controller
// itself uses, and whoever is next meets no conflict; with force, so that an owner of another name
// loses it.
Patch QueueStatePatch(const SeenObject& queue, std::string_view state);

}  // namespace batholith
