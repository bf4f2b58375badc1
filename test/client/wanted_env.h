#pragma once

#include "client/write/wanted_status.h"

namespace batholith {

// Of a session whose writes are compared with what the server has.
inline const WriteStamp kStamp{"s-1", "2026-01-01T00:00:00Z"};

}  // namespace batholith
