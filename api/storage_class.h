#pragma once

#include <string>
#include <vector>

#include "api/objects.h"

namespace batholith {

// storage.k8s.io StorageClass: how volumes of claims that name it come about.
struct StorageClassRecord {
  ObjectMeta meta;
  std::string provisioner;
  bool waits_for_pod = false;  // volumeBindingMode WaitForFirstConsumer
  // Where volumes may be made: all requirements of one entry hold of the node; empty: anywhere.
  std::vector<std::vector<Requirement>> allowed_topologies;
  bool operator==(const StorageClassRecord&) const = default;
};

}  // namespace batholith
