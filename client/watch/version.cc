#include "client/watch/version.h"

#include <charconv>
#include <cstdint>
#include <optional>

namespace batholith {
namespace {

std::optional<std::uint64_t> NumberOf(const std::string& version) {
  std::uint64_t number = 0;
  const char* end = version.data() + version.size();
  const auto [stop, error] = std::from_chars(version.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

bool IsOlderVersion(const std::string& a, const std::string& b) {
  const auto x = NumberOf(a);
  const auto y = NumberOf(b);
  return x && y && *x < *y;
}

}  // namespace batholith
