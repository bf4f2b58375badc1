#pragma once

#include <cstdint>

#include "codec/json/field.h"

namespace batholith {

// An amount of storage in bytes, rounded up; what is no amount, or less than nothing, is a flaw and
// 0.
std::int64_t ReadBytes(const Field& amount);

}  // namespace batholith
