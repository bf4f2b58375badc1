#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace batholith {

// Why what is asked for does not fit, as a person reads it: "4 held + 20 asked > 19.2". All amounts
// are in one unit; bytes are rounded, and never so far that the line would not be true as it reads.
class ShortageText {
 public:
  // In base units of the resource. `held` is called `held_word`.
  ShortageText(std::string_view resource, std::int64_t held, std::int64_t asked, std::int64_t limit,
               std::string_view held_word = "held");

  const std::string& text() const { return text_; }
  // Another amount of the resource in the unit of the text.
  std::string Amount(std::int64_t base_units) const;

 private:
  struct Unit {
    std::int64_t size = 1;  // in base units
    int decimals = 0;       // at most
    const char* suffix = "";
  };
  static Unit UnitFor(std::string_view resource, std::int64_t held, std::int64_t asked,
                      std::int64_t limit);

  Unit unit_;
  std::string text_;
};

}  // namespace batholith
