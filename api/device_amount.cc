#include "api/device_amount.h"

#include <algorithm>
#include <array>

#include "api/quantity.h"

namespace batholith {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;

std::string DigitsOf(Wide number) {
  if (number == 0) return "0";
  const bool negative = number < 0;
  std::string out;
  for (; number != 0; number /= 10) {
    const int digit = static_cast<int>(number % 10);
    out += static_cast<char>('0' + (negative ? -digit : digit));
  }
  if (negative) out += '-';
  std::ranges::reverse(out);
  return out;
}

}  // namespace

Result<DeviceAmount> ParseDeviceAmount(std::string_view text) {
  // What fits into 64 bits of 10^-9 is exact; what does not has whole units, and a rest.
  const Result<std::int64_t> fine = ParseQuantityCutOff(text, kNano);
  if (!fine) return std::unexpected(fine.error());
  if (*fine != INT64_MAX && *fine != -INT64_MAX) return DeviceAmount{*fine};
  const Result<std::int64_t> milli = ParseQuantityCutOff(text, 1000);
  if (milli && *milli != INT64_MAX && *milli != -INT64_MAX)
    return static_cast<DeviceAmount>(*milli) * (kNano / 1000);
  return static_cast<DeviceAmount>(ParseQuantityCutOff(text, 1).value_or(0)) * kNano;
}

std::string DeviceAmountText(DeviceAmount amount) {
  static constexpr std::array<const char*, 4> kFractions{"", "m", "u", "n"};
  static constexpr std::array<const char*, 7> kUnits{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  Wide scale = kNano;
  std::size_t fraction = 0;
  while (amount % scale != 0) {
    scale /= 1000;
    ++fraction;
  }
  Wide whole = amount / scale;
  if (fraction != 0) return DigitsOf(whole) + kFractions[fraction];
  std::size_t unit = 0;
  while (whole != 0 && whole % 1024 == 0 && unit + 1 < kUnits.size()) {
    whole /= 1024;
    ++unit;
  }
  return DigitsOf(whole) + kUnits[unit];
}

}  // namespace batholith
