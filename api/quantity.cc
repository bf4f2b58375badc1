#include "api/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace batholith {
namespace {

__extension__ using Wide = __int128;

struct Suffix {
  std::string_view text;
  int binary_shift;  // value × 2^shift
  int decimal;       // value × 10^decimal
};

constexpr std::array<Suffix, 14> kSuffixes{{{"n", 0, -9},
                                            {"u", 0, -6},
                                            {"m", 0, -3},
                                            {"", 0, 0},
                                            {"k", 0, 3},
                                            {"M", 0, 6},
                                            {"G", 0, 9},
                                            {"T", 0, 12},
                                            {"P", 0, 15},
                                            {"E", 0, 18},
                                            {"Ki", 10, 0},
                                            {"Mi", 20, 0},
                                            {"Gi", 30, 0},
                                            {"Ti", 40, 0}}};

std::optional<Suffix> FindSuffix(std::string_view text) {
  if (text == "Pi") return Suffix{"Pi", 50, 0};
  if (text == "Ei") return Suffix{"Ei", 60, 0};
  for (const Suffix& s : kSuffixes) {
    if (s.text == text) return s;
  }
  if (text.size() > 1 && (text[0] == 'e' || text[0] == 'E')) {
    std::string_view digits = text.substr(1);
    if (digits[0] == '+') digits.remove_prefix(1);
    int exponent = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error == std::errc() && end == digits.data() + digits.size() && !digits.empty() &&
        exponent >= -1000 && exponent <= 1000) {
      return Suffix{"e", 0, exponent};
    }
  }
  return std::nullopt;
}

std::unexpected<Error> Bad(std::string_view text, const char* why) {
  return Invalid("\"" + std::string(text.substr(0, 60)) + "\" " + why);
}

}  // namespace

Result<std::int64_t> ParseQuantity(std::string_view text, std::int64_t scale) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  constexpr Wide kLimit = static_cast<Wide>(1) << 90;
  Wide value = 0;
  int decimal = 0;
  bool point = false;
  bool inexact = false;
  std::size_t digits = 0;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    ++digits;
    if (value >= kLimit) {
      if (!point) return Bad(text, "is out of range");
      inexact = inexact || c != '0';
      continue;
    }
    value = value * 10 + (c - '0');
    if (point) --decimal;
  }
  if (digits == 0) return Bad(text, "is no quantity");
  const std::optional<Suffix> suffix = FindSuffix(rest.substr(i));
  if (!suffix) return Bad(text, "is no quantity");
  if (value == 0) return 0;
  value *= scale;
  decimal += suffix->decimal;
  for (int s = 0; s < suffix->binary_shift; s += 10) {
    if (value > (kLimit << 25)) return Bad(text, "is out of range");
    value *= 1024;
  }
  for (; decimal > 0; --decimal) {
    if (value > (kLimit << 25)) return Bad(text, "is out of range");
    value *= 10;
  }
  for (; decimal < 0; ++decimal) {
    inexact = inexact || value % 10 != 0;
    value /= 10;
  }
  if (inexact) ++value;
  if (value > INT64_MAX) return Bad(text, "is out of range");
  const auto out = static_cast<std::int64_t>(value);
  return negative ? -out : out;
}

std::string FormatQuantity(std::int64_t base_units, std::string_view resource) {
  const bool bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  const bool milli = resource != "memory" && resource != "pods";
  if (milli && base_units % 1000 != 0) return std::to_string(base_units) + "m";
  std::int64_t whole = milli ? base_units / 1000 : base_units;
  if (!bytes) return std::to_string(whole);
  static constexpr std::array<const char*, 6> kUnits{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  std::size_t unit = 0;
  while (whole != 0 && whole % 1024 == 0 && unit + 1 < kUnits.size()) {
    whole /= 1024;
    ++unit;
  }
  return std::to_string(whole) + kUnits[unit];
}

}  // namespace batholith
