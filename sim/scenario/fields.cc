#include "sim/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "conf/message.h"

namespace batholith {

namespace json = boost::json;

namespace {

std::unexpected<Error> Wrong(const json::value& value, const std::string& path,
                             std::string_view expected) {
  return Invalid(fmt::format("{}: expected {}, got {}", path, expected, KindOf(value)));
}

}  // namespace

std::string_view KindOf(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "nothing";
    case json::kind::bool_:
      return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_:
      return "a number";
    case json::kind::string:
      return "a string";
    case json::kind::array:
      return "a list";
    case json::kind::object:
      return "a mapping";
  }
  return "";
}

std::string ScalarText(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_double()) return fmt::format("{}", value.get_double());
  return json::serialize(value);
}

Result<const json::object*> AsMapping(const json::value& value, const std::string& path) {
  if (!value.is_object()) return Wrong(value, path, "a mapping");
  return &value.get_object();
}

Result<const json::array*> AsList(const json::value& value, const std::string& path) {
  if (!value.is_array()) return Wrong(value, path, "a list");
  return &value.get_array();
}

Result<std::string> AsText(const json::value& value, const std::string& path) {
  if (value.is_null() || value.is_structured()) return Wrong(value, path, "a string");
  return ScalarText(value);
}

Result<std::int64_t> AsInteger(const json::value& value, const std::string& path) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_double() && std::abs(value.get_double()) < 1e15 &&
      std::floor(value.get_double()) == value.get_double()) {
    return static_cast<std::int64_t>(value.get_double());
  }
  return Wrong(value, path, "a whole number");
}

Result<void> OnlyKnown(const json::object& mapping, const std::string& path,
                       std::span<const std::string_view> known) {
  for (const auto& [key, value] : mapping) {
    const std::string_view name = key;
    if (std::ranges::find(known, name) != known.end()) continue;
    return Invalid(
        fmt::format("{}: unknown field \"{}\"{}", path, Shown(name), DidYouMean(name, known)));
  }
  return {};
}

}  // namespace batholith
