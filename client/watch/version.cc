#include "client/watch/version.h"

#include <cstdint>
#include <optional>

#include "api/value_text.h"

namespace batholith {
bool IsOlderVersion(const std::string& a, const std::string& b) {
  const auto x = ParseNumber<std::uint64_t>(a);
  const auto y = ParseNumber<std::uint64_t>(b);
  return x && y && *x < *y;
}

}  // namespace batholith
