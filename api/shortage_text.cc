#include "api/shortage_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/resource_schema.h"
#include "api/wide.h"

namespace batholith {
namespace {

struct ByteUnit {
  std::int64_t size;
  const char* suffix;
};
constexpr std::array<ByteUnit, 6> kByteUnits{{{std::int64_t{1} << 50, "Pi"},
                                              {std::int64_t{1} << 40, "Ti"},
                                              {std::int64_t{1} << 30, "Gi"},
                                              {std::int64_t{1} << 20, "Mi"},
                                              {std::int64_t{1} << 10, "Ki"},
                                              {1, ""}}};

// Also under the names that ResourceQuotas have for it.
bool IsBytes(std::string_view resource) {
  for (const std::string_view prefix : {"requests.", "limits."}) {
    if (resource.starts_with(prefix)) resource.remove_prefix(prefix.size());
  }
  return resource == "memory" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-");
}

// In parts of the last decimal, halves away from zero.
Wide Rounded(std::int64_t amount, std::int64_t size, int decimals) {
  Wide parts = amount;
  for (int i = 0; i < decimals; ++i) parts *= 10;
  return (parts + (amount < 0 ? -size : size) / 2) / size;
}

}  // namespace

ShortageText::ShortageText(std::string_view resource, std::int64_t held, std::int64_t asked,
                           std::int64_t limit, std::string_view held_word)
    : unit_(UnitFor(resource, held, asked, limit)),
      text_(fmt::format("{} {} + {} asked > {}", Amount(held), held_word, Amount(asked),
                        Amount(limit))) {}

std::string ShortageText::Amount(std::int64_t base_units) const {
  const Wide rounded = Rounded(base_units, unit_.size, unit_.decimals);
  if (rounded == 0) return "0";
  std::string digits = fmt::format("{}", rounded < 0 ? -rounded : rounded);
  const auto decimals = static_cast<std::size_t>(unit_.decimals);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) {
    digits.insert(digits.size() - decimals, ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (rounded < 0 ? "-" : "") + digits + unit_.suffix;
}

// Thousandths are written out, as millis where all amounts are below one. Of bytes the largest unit
// in which two decimals are close enough.
ShortageText::Unit ShortageText::UnitFor(std::string_view resource, std::int64_t held,
                                         std::int64_t asked, std::int64_t limit) {
  const std::array<std::int64_t, 3> amounts{held, asked, limit};
  const std::int64_t scale = ResourceScale(resource);
  const std::int64_t most = std::ranges::max(amounts);
  if (!IsBytes(resource)) {
    if (scale > 1 && most < scale) return {1, 0, "m"};
    return {scale, scale > 1 ? 3 : 0, ""};
  }
  for (const ByteUnit& unit : kByteUnits) {
    if (unit.size > 1 && most / scale < unit.size) continue;
    std::int64_t size = 0;
    if (__builtin_mul_overflow(unit.size, scale, &size)) continue;
    const auto shown = [&](std::int64_t amount) { return Rounded(amount, size, 2); };
    const bool close = std::ranges::all_of(amounts, [&](std::int64_t amount) {
      return shown(amount) >= 100 || shown(amount) * size == Wide{amount} * 100;
    });
    if (close && shown(held) + shown(asked) > shown(limit)) return {size, 2, unit.suffix};
  }
  return {scale, 3, ""};
}

}  // namespace batholith
