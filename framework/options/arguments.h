#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/check.h"
#include "api/vocabulary.h"
#include "framework/options/argument_spec.h"
#include "framework/options/conf_value.h"

namespace batholith {

// What is wrong with arguments that are each of their type, and do not go together.
struct OptionError {
  int line = 0;         // of the conf; 0: of nothing that is written
  std::string message;  // with the path of the argument
};

template <typename Options>
using OptionResult = std::expected<Options, OptionError>;

// The arguments of one plugin or action, or one mapping inside them, as typed values. What is not
// given has the default of its spec. Lifetime: owns neither the values nor the specs. REQUIRES: the
// values were checked against the specs; names that are asked for have a spec.
class Arguments {
 public:
  Arguments(const ConfValue& values, std::span<const ArgumentSpec> specs)
      : values_(&values), specs_(specs) {}
  Arguments(ConfValue&&, std::span<const ArgumentSpec>) = delete;

  bool Has(std::string_view name) const { return values_->Find(name) != nullptr; }
  bool Bool(std::string_view name) const;
  std::int64_t Int(std::string_view name) const;
  double Float(std::string_view name) const;
  std::string Text(std::string_view name) const;
  // Nothing when it is not given and has no default.
  std::optional<std::chrono::nanoseconds> Duration(std::string_view name) const;
  // The words of a list; what a YAML list has as empty text is left out.
  std::vector<std::string> List(std::string_view name) const;
  // As List, with the empty texts of a YAML list.
  std::vector<std::string> Items(std::string_view name) const;
  // Of an argument whose choices are kWordsOf<Enum>.
  template <typename Enum>
  Enum Choice(std::string_view name) const {
    const std::optional<Enum> value = FromWord<Enum>(View(name));
    CHECK(value.has_value());
    return *value;
  }

  // The mapping or list of this name; one without keys where it is not given.
  Arguments Map(std::string_view name) const;
  // Every key that is given: those of a mapping sorted, those of a list in its order.
  std::vector<std::string> Keys() const;
  // The error of this argument, at its line; where it is not given, at that of the mapping.
  std::unexpected<OptionError> Fail(std::string_view name, std::string message) const;
  // What follows the prefix → text, sorted. `prefix` is the name of a spec with `name_is_prefix`.
  std::vector<std::pair<std::string, std::string>> WithPrefix(std::string_view prefix) const;

 private:
  std::string_view View(std::string_view name) const;
  const ArgumentSpec& Spec(std::string_view name) const;

  const ConfValue* values_;
  std::span<const ArgumentSpec> specs_;
};

}  // namespace batholith
