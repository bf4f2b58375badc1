#include "api/quantity.h"

#include <algorithm>
#include <array>
#include <optional>

#include "api/value_text.h"
#include "api/wide.h"

namespace batholith {
namespace {

struct Factor {
  std::string_view suffix;
  int powers_of_1024;
  int decimal_exponent;
};

constexpr std::array<Factor, 16> kFactors{{{"", 0, 0},
                                           {"m", 0, -3},
                                           {"Mi", 2, 0},
                                           {"Gi", 3, 0},
                                           {"n", 0, -9},
                                           {"u", 0, -6},
                                           {"k", 0, 3},
                                           {"M", 0, 6},
                                           {"G", 0, 9},
                                           {"T", 0, 12},
                                           {"P", 0, 15},
                                           {"E", 0, 18},
                                           {"Ki", 1, 0},
                                           {"Ti", 4, 0},
                                           {"Pi", 5, 0},
                                           {"Ei", 6, 0}}};

// Beyond it every exponent says the same: no amount, or one out of range.
constexpr int kMaxExponent = 100'000;
constexpr std::size_t kMaxLength = 1'000;

// "e6", "E-3", "e+9": digits after at most one sign.
std::optional<int> ParseExponent(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  std::string_view digits = text.substr(1);
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.remove_prefix(1);
  const bool only_digits = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (digits.empty() || !only_digits) return std::nullopt;
  const int exponent = std::min(ParseNumber<int>(digits).value_or(kMaxExponent), kMaxExponent);
  return negative ? -exponent : exponent;
}

std::optional<Factor> FindFactor(std::string_view suffix) {
  for (const Factor& f : kFactors) {
    if (f.suffix == suffix) return f;
  }
  const std::optional<int> exponent = ParseExponent(suffix);
  if (!exponent) return std::nullopt;
  return Factor{suffix, 0, *exponent};
}

// Decimal digits, most significant first, times a small number.
void Multiply(std::string& digits, std::int64_t factor) {
  Wide carry = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    carry += static_cast<Wide>(digits[i] - '0') * factor;
    digits[i] = static_cast<char>('0' + static_cast<int>(carry % 10));
    carry /= 10;
  }
  std::string high;
  for (; carry > 0; carry /= 10) high += static_cast<char>('0' + static_cast<int>(carry % 10));
  std::ranges::reverse(high);
  digits.insert(0, high);
}

// digits × 10^exponent, rounded up; nothing when it does not fit.
std::optional<std::int64_t> RoundUp(std::string_view digits, std::int64_t exponent) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  const std::int64_t whole_digits = static_cast<std::int64_t>(digits.size()) + exponent;
  if (whole_digits > 19) return std::nullopt;
  std::uint64_t whole = 0;
  for (std::int64_t i = 0; i < whole_digits; ++i) {
    const auto at = static_cast<std::size_t>(i);
    whole = whole * 10 + (at < digits.size() ? static_cast<std::uint64_t>(digits[at] - '0') : 0U);
  }
  const std::size_t rest = whole_digits < 0 ? 0 : static_cast<std::size_t>(whole_digits);
  if (rest < digits.size() && digits.find_first_not_of('0', rest) != digits.npos) ++whole;
  if (whole > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

std::unexpected<Error> Bad(std::string_view text, const char* why) {
  std::string shown;
  for (const char c : text.substr(0, 60)) shown += c >= ' ' && c != '\x7f' ? c : '?';
  return Invalid("\"" + shown + "\" " + why);
}

struct Amount {
  bool negative = false;
  std::optional<std::int64_t> size;  // nothing: out of range
};

Result<Amount> ReadAmount(std::string_view text, std::int64_t scale) {
  if (text.size() > kMaxLength) return Bad(text, "is not a quantity: too long");
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  std::string digits;
  std::int64_t exponent = 0;
  bool point = false;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    if (rest[i] == '.' && !point) {
      point = true;
      continue;
    }
    if (rest[i] < '0' || rest[i] > '9') break;
    digits += rest[i];
    if (point) --exponent;
  }
  const std::optional<Factor> factor = FindFactor(rest.substr(i));
  if (digits.empty() || !factor) return Bad(text, "is not a quantity");
  if (digits.find_first_not_of('0') == digits.npos) return Amount{negative, 0};
  Multiply(digits, scale);
  for (int p = 0; p < factor->powers_of_1024; ++p) Multiply(digits, 1024);
  return Amount{negative, RoundUp(digits, exponent + factor->decimal_exponent)};
}

}  // namespace

Result<std::int64_t> ParseQuantity(std::string_view text, std::int64_t scale) {
  const Result<Amount> amount = ReadAmount(text, scale);
  if (!amount) return std::unexpected(amount.error());
  if (!amount->size) return Bad(text, "is out of range");
  return amount->negative ? -*amount->size : *amount->size;
}

Result<std::int64_t> ParseQuantityCutOff(std::string_view text, std::int64_t scale) {
  const Result<Amount> amount = ReadAmount(text, scale);
  if (!amount) return std::unexpected(amount.error());
  const std::int64_t size = amount->size.value_or(INT64_MAX);
  return amount->negative ? -size : size;
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
