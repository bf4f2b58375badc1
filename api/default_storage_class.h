#pragma once

#include <span>
#include <string>

#include "api/storage_class.h"

namespace batholith {

// The class of claims that name none: of those that are marked so the newest, then the first name.
// nullptr: there is none. Source: GetDefaultClass of Kubernetes.
const StorageClassRecord* DefaultStorageClass(std::span<const StorageClassRecord> classes);

}  // namespace batholith
