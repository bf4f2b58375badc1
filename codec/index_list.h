#pragma once

#include <cstdint>
#include <vector>

#include "codec/json/field.h"

namespace batholith {

// The first `count` indexes below `end` that `closed` ("0-3,7", ascending, as a batch/v1 Job lists
// its completed indexes) does not name, in order. Errors: FieldError where it is no such list.
// Cost: O(length of the text + count).
std::vector<std::int64_t> OpenIndexes(const Field& closed, std::int64_t end, std::int64_t count);

}  // namespace batholith
