#include "cmd/own_event.h"

#include <cstdlib>

namespace batholith {
namespace {

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

ObjectEvent OwnEvent(const std::string& lease_namespace, const std::string& lease_name) {
  ObjectEvent event;
  event.name = FromEnvironment("POD_NAME");
  event.name_space = FromEnvironment("POD_NAMESPACE");
  if (!event.name.empty() && !event.name_space.empty()) {
    event.api_version = "v1";
    event.kind = "Pod";
    event.uid = FromEnvironment("POD_UID");
    return event;
  }
  event.api_version = "coordination.k8s.io/v1";
  event.kind = "Lease";
  event.name = lease_name;
  event.name_space = lease_namespace;
  return event;
}

}  // namespace batholith
