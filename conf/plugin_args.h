#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/result.h"
#include "conf/scheduler_conf.h"

namespace batholith {

// One argument of a plugin or action: how it is spelt, what it may be, what it is when it is not
// given.
struct ArgSpec {
  enum class Type : std::uint8_t {
    kBool,
    kInt,
    kFloat,
    kString,
    kDuration,    // Go's spelling: 1h30m, 100ms
    kStringList,  // comma-separated text or a YAML list
    kTimeRange,   // HH:MM-HH:MM
    kMap,         // nested mappings and lists, see `fields`
  };

  std::string_view name;
  Type type = Type::kString;
  std::string_view default_text = "";
  double min = -std::numeric_limits<double>::infinity();  // numbers; durations in seconds
  double max = std::numeric_limits<double>::infinity();
  std::string_view summary = "";
  bool name_is_prefix = false;        // "binpack.resources." stands for every name that starts so
  bool below_min_is_default = false;  // Volcano takes the default there: a warning, not an error
  bool number_is_ignored = false;  // Volcano reads text only there: an unquoted number is a warning
  std::string_view inert = "";    // why it has no effect here; given and not false, it is a warning
  std::string_view choices = "";  // comma-separated; empty: any text
  // kMap: the leaves; names are paths, '/' between keys, '*' for any key. Another type with fields
  // may be given either way.
  std::span<const ArgSpec> fields = {};
};

constexpr ArgSpec BoolArg(std::string_view name, std::string_view default_text,
                          std::string_view summary, std::string_view inert = "") {
  return {.name = name,
          .type = ArgSpec::Type::kBool,
          .default_text = default_text,
          .summary = summary,
          .inert = inert};
}

// The spec that covers the argument `name`: its own, else the longest prefix. nullptr: no such
// argument.
const ArgSpec* FindArgSpec(std::span<const ArgSpec> specs, std::string_view name);

// Checks `arguments` of `owner` ("plugin binpack") against `specs` and takes out what is to be
// ignored.
Result<std::vector<std::string>> ValidateArguments(const std::string& file,
                                                   const std::string& owner,
                                                   std::span<const ArgSpec> specs,
                                                   Arguments& arguments);

// Typed view of the arguments of one plugin or action; an argument that is not given has its
// default. Lifetime: does not own: both `arguments` and `specs` must outlive it. REQUIRES:
// arguments passed ValidateArguments with the same specs; names asked for have a spec.
class PluginArguments {
 public:
  PluginArguments(const Arguments& arguments, std::span<const ArgSpec> specs)
      : arguments_(&arguments), specs_(specs) {}
  PluginArguments(Arguments&&, std::span<const ArgSpec>) = delete;

  bool Has(std::string_view name) const;
  bool Bool(std::string_view name) const;
  std::int64_t Int(std::string_view name) const;
  double Float(std::string_view name) const;
  std::string String(std::string_view name) const;
  // Nothing when it is not given and has no default.
  std::optional<std::chrono::nanoseconds> Duration(std::string_view name) const;
  std::vector<std::string> List(std::string_view name) const;
  // What follows the prefix → text, by name. `prefix` is the name of a spec with `name_is_prefix`.
  std::vector<std::pair<std::string, std::string>> WithPrefix(std::string_view prefix) const;
  // Every leaf below a kMap argument: path below its name → text, by path.
  std::vector<std::pair<std::vector<std::string>, std::string>> Nested(std::string_view name) const;

 private:
  std::string_view Text(std::string_view name) const;

  const Arguments* arguments_;
  std::span<const ArgSpec> specs_;
};

}  // namespace batholith
