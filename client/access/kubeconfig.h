#pragma once

#include <string>
#include <vector>

#include "api/result.h"
#include "client/access/access.h"

namespace batholith {

// The access that a context of these files names; empty: their current-context. Of entries with the
// same name the one of the first file counts, as a whole. Files that are not there are skipped;
// where none is, kNotFound, and so where no context is named by anybody. Errors name file and
// field.
Result<ClusterAccess> LoadKubeconfig(const std::vector<std::string>& files,
                                     const std::string& context);

}  // namespace batholith
