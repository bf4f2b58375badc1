#include "sim/scenario/shape.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>
#include <string_view>

#include "sim/scenario/fields.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 4> kConditionFields{"type", "status", "reason", "message"};

bool IsScalar(const json::value& v) { return !v.is_null() && !v.is_structured(); }
bool IsScalarList(const json::value& v) {
  return v.is_array() && std::ranges::all_of(v.get_array(), IsScalar);
}

template <typename Accepts>
bool IsMapOf(const json::value& v, Accepts accepts) {
  return v.is_object() &&
         std::ranges::all_of(v.get_object(), [&](const auto& e) { return accepts(e.value()); });
}

bool IsRange(const json::value& v) {
  return IsMapOf(v, [](const json::value& bound) { return bound.is_int64(); }) &&
         std::ranges::all_of(v.get_object(),
                             [](const auto& e) { return e.key() == "min" || e.key() == "max"; });
}

bool IsCount(const json::value& v) {
  const auto is_integer = [](const json::value& n) { return n.is_int64(); };
  return v.is_int64() || IsRange(v) ||
         (v.is_array() && std::ranges::all_of(v.get_array(), is_integer));
}

bool IsConditions(const json::value& v) {
  return v.is_array() && std::ranges::all_of(v.get_array(), [](const json::value& condition) {
           return IsMapOf(condition,
                          [](const json::value& e) { return IsScalar(e) || IsScalarList(e); });
         });
}

// What was expected instead; nothing: the value is right.
std::optional<std::string_view> Mismatch(Shape shape, const json::value& v) {
  using Wanted = std::optional<std::string_view>;
  const auto unless = [](bool holds, std::string_view wanted) {
    return holds ? Wanted() : Wanted(wanted);
  };
  const auto node = [](const json::value& e) {
    return e.is_null() || IsScalar(e) || IsScalarList(e);
  };
  switch (shape) {
    case Shape::kScalar:
      return unless(IsScalar(v), "one value");
    case Shape::kScalars:
      return unless(IsScalar(v) || IsScalarList(v), "a value or a list of the allowed ones");
    case Shape::kList:
      return unless(IsScalarList(v), "a list of names");
    case Shape::kPods:
      return unless(IsScalarList(v) || IsMapOf(v, node),
                    "a list of pods, or a map from pods to their nodes");
    case Shape::kSwitch:
      return unless(v.is_bool(), "true or false");
    case Shape::kJobs:
      return unless(v.is_bool() || v.is_int64() || IsScalarList(v),
                    "true, a number or a list of jobs");
    case Shape::kCount:
      return unless(IsCount(v), "a count: n, {min: n, max: n} or a list of numbers");
    case Shape::kCounts:
      return unless(IsCount(v) || IsMapOf(v, IsCount), "a count, or a map from names to counts");
    case Shape::kResources:
      return unless(IsMapOf(v, IsScalar), "a map from resources to quantities");
    case Shape::kLabels:
      return unless(IsMapOf(v, node), "a map");
    case Shape::kNumbers:
      return unless(IsMapOf(v, IsScalar), "a map from nodes to numbers");
    case Shape::kConditions:
      return unless(IsConditions(v), "a list of {type, status, reason, message}");
  }
  return std::nullopt;
}

}  // namespace

Result<void> CheckShape(Shape shape, const json::value& value, const std::string& path) {
  if (const auto wanted = Mismatch(shape, value)) {
    return Invalid(path + ": expected " + std::string(*wanted) + ", got " +
                   std::string(KindOf(value)));
  }
  if (shape != Shape::kConditions) return {};
  for (const json::value& condition : value.get_array()) {
    const Result<void> known = OnlyKnown(condition.get_object(), path, kConditionFields);
    if (!known) return known;
  }
  return {};
}

}  // namespace batholith
