#pragma once

#include <string>

#include "client/write/event_recorder.h"

namespace batholith {

// Unlike any other's, also of a container that starts again under the same name.
std::string OwnIdentity();

// An event about this scheduler, to be filled in: of its pod, where POD_NAME and POD_NAMESPACE say
// which that is (POD_UID: its uid), as the installer's manifests do; else of its lease.
ObjectEvent OwnEvent(const std::string& lease_namespace, const std::string& lease_name);
// The same, filled in as a warning.
ObjectEvent OwnWarning(const std::string& lease_namespace, const std::string& lease_name,
                       std::string reason, std::string action, std::string note);

}  // namespace batholith
