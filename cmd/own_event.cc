#include "cmd/own_event.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace batholith {
namespace {

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string OwnIdentity() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return std::string(host) + "_" + std::to_string(getpid()) + "_" +
         std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
}

ObjectEvent OwnEvent(const std::string& lease_namespace, const std::string& lease_name) {
  ObjectEvent event;
  event.name = FromEnvironment("POD_NAME");
  event.namespace_ = FromEnvironment("POD_NAMESPACE");
  if (!event.name.empty() && !event.namespace_.empty()) {
    event.api_version = "v1";
    event.kind = "Pod";
    event.uid = FromEnvironment("POD_UID");
    return event;
  }
  event.api_version = "coordination.k8s.io/v1";
  event.kind = "Lease";
  event.name = lease_name;
  event.namespace_ = lease_namespace;
  return event;
}

ObjectEvent OwnWarning(const std::string& lease_namespace, const std::string& lease_name,
                       std::string reason, std::string action, std::string note) {
  ObjectEvent event = OwnEvent(lease_namespace, lease_name);
  event.warning = true;
  event.reason = std::move(reason);
  event.action = std::move(action);
  event.note = std::move(note);
  return event;
}

}  // namespace batholith
