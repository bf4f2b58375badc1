#include "cel/syntax/number.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>

namespace batholith::cel {
namespace {

template <typename Number>
std::optional<Number> ReadInBase(std::string_view digits, int base) {
  Number out = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, failed] = std::from_chars(digits.data(), end, out, base);
  if (failed != std::errc() || stop != end || digits.empty()) return std::nullopt;
  return out;
}

}  // namespace

std::optional<std::int64_t> ReadInt(std::string_view digits, int base) {
  return ReadInBase<std::int64_t>(digits, base);
}

std::optional<std::uint64_t> ReadUint(std::string_view digits, int base) {
  return ReadInBase<std::uint64_t>(digits, base);
}

std::optional<double> ReadDouble(std::string_view text) {
  double out = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, out);
  if (stop != end || text.empty()) return std::nullopt;
  if (failed == std::errc::result_out_of_range)
    return std::strtod(std::string(text).c_str(), nullptr);
  if (failed != std::errc()) return std::nullopt;
  return out;
}

std::optional<double> ReadHexDouble(std::string_view text) {
  if (text.find_first_of("pP") == std::string_view::npos) return std::nullopt;
  const std::string whole(text);
  char* end = nullptr;
  const double out = std::strtod(whole.c_str(), &end);
  if (end != whole.c_str() + whole.size()) return std::nullopt;
  return out;
}

}  // namespace batholith::cel
