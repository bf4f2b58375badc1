#pragma once

#include <string>

#include "api/result.h"
#include "client/access/access.h"

namespace batholith {

inline constexpr char kServiceAccountFolder[] = "/var/run/secrets/kubernetes.io/serviceaccount";

// The service account of the pod that this program runs in: $KUBERNETES_SERVICE_HOST and _PORT, and
// the folder's token, ca.crt and namespace. Errors: kNotFound outside of a pod; kInvalid where a
// file is missing.
Result<ClusterAccess> LoadInCluster(const std::string& folder = kServiceAccountFolder);

}  // namespace batholith
