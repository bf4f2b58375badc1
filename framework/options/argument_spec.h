#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace batholith {

// One argument of a plugin or action: how it is spelt, what it may be, and what it is when it is
// not given. A plugin keeps its specs in a table beside its options; a conf is checked against the
// table, and the reference of all arguments is written from it.
struct ArgumentSpec {
  enum class Type : std::uint8_t {
    kBool,
    kInt,
    kFloat,
    kString,
    kDuration,    // Go's spelling: 1h30m, 100ms
    kStringList,  // comma-separated text or a YAML list
    kTimeRange,   // HH:MM-HH:MM
    kMap,         // a mapping or list of `fields`
  };

  // When a warning says that the argument has no effect.
  enum class Warns : std::uint8_t {
    kUnlessFalse,  // false asks for what happens anyway
    kAlways,
  };

  std::string_view name;  // of a field also "*": any key but a bare "*", and any position of a list
  Type type = Type::kString;
  std::string_view default_text = "";
  double min = -std::numeric_limits<double>::infinity();  // numbers; durations in seconds
  double max = std::numeric_limits<double>::infinity();
  std::string_view summary = "";
  bool name_is_prefix = false;        // "binpack.resources." stands for every name that starts so
  bool below_min_is_default = false;  // Volcano takes the default there: a warning, not an error
  bool number_is_ignored = false;  // Volcano reads text only there: an unquoted number is a warning
  std::string_view inert = "";     // why it has no effect here; empty: it has one
  Warns warns = Warns::kUnlessFalse;               // of an inert one
  std::span<const std::string_view> choices = {};  // the texts that it may be; empty: any
  // What a kMap holds. An argument of another type with fields may be given either way.
  std::span<const ArgumentSpec> fields = {};
};

constexpr ArgumentSpec BoolArgument(std::string_view name, std::string_view default_text,
                                    std::string_view summary, std::string_view inert = "") {
  return {.name = name,
          .type = ArgumentSpec::Type::kBool,
          .default_text = default_text,
          .summary = summary,
          .inert = inert};
}

// Weights multiply scores of 0 to 100; beyond this the sum of all could leave 64 bits.
inline constexpr double kMaxWeight = 1e9;

constexpr ArgumentSpec WeightArgument(std::string_view name, std::string_view default_text,
                                      std::string_view summary) {
  return {.name = name,
          .type = ArgumentSpec::Type::kInt,
          .default_text = default_text,
          .min = 0,
          .max = kMaxWeight,
          .summary = summary};
}

// An argument that a plugin or action had once. A conf that still has it loads, with a warning.
struct RetiredArgument {
  std::string_view name;    // exact, or a prefix when it ends in '.'
  std::string_view reason;  // what became of it
};

// The spec of an argument: its own, else that of the longest prefix. nullptr: no such argument.
const ArgumentSpec* FindArgument(std::span<const ArgumentSpec> specs, std::string_view name);

// The spec of a key inside a mapping: its own, else that of "*". nullptr: no such field.
const ArgumentSpec* FindField(std::span<const ArgumentSpec> fields, std::string_view key);

const RetiredArgument* FindRetired(std::span<const RetiredArgument> retired, std::string_view name);

}  // namespace batholith
