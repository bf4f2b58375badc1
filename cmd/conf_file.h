#pragma once

#include <string>

#include "api/result.h"

namespace batholith {

// The text of a daemon's conf file. Never waits for somebody to write it: Errors: it is not there,
// is no regular file (a pipe, a device, a folder), cannot be read, or is larger than a conf may be.
Result<std::string> ReadConfFile(const std::string& path);

}  // namespace batholith
