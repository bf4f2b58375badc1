#pragma once

#include <string>
#include <vector>

#include "api/node_scope.h"
#include "api/placement_need.h"
#include "api/snapshot.h"

namespace batholith {

struct SnapshotOptions {
  std::vector<std::string> scheduler_names{"volcano"};
  std::string default_queue = "default";
  TimeNs now = 0;
  // Resources of nodes that are still to come, as Pipeline::node_resources tells them.
  std::vector<std::string> node_resources = {};
  NodeScope scope = {};           // which nodes are used
  PlacementNeedSet ignored = {};  // what the conf ignores of what this build does not do
  // Pods with claims for devices wait: whoever writes what a session decides cannot write claims.
  bool hold_device_claims = true;
};

// Claims of pods for devices are served.
inline bool GivesDevices(const SnapshotOptions& options) {
  return !options.hold_device_claims && !options.ignored.Has(PlacementNeed::kDeviceClaims);
}

}  // namespace batholith
