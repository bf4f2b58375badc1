#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace re2 {
class RE2;
}

namespace batholith {

// A regular expression for names, in the syntax of RE2 and Go, which has no back references: it is
// compiled once, and a match takes time in proportion to the name. Cheap to copy. Equal texts are
// equal patterns.
class Pattern {
 public:
  // Nothing: the text is no regular expression.
  static std::optional<Pattern> Of(const std::string& text);

  // Whether a part of the name matches.
  bool FoundIn(std::string_view name) const;
  bool operator==(const Pattern& other) const;

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace batholith
