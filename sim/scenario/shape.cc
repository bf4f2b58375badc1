#include "sim/scenario/shape.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace batholith {
namespace {

constexpr std::array<std::string_view, 4> kConditionFields{"type", "status", "reason", "message"};

bool IsScalar(const Field& v) { return v.is_scalar(); }
bool IsInteger(const Field& v) { return v.is_int(); }

template <typename Accepts>
bool IsListOf(const Field& v, Accepts accepts) {
  return v.is_list() && std::ranges::all_of(v.Items(), accepts);
}
template <typename Accepts>
bool IsMapOf(const Field& v, Accepts accepts) {
  return v.is_object() &&
         std::ranges::all_of(v.Entries(), [&](const auto& entry) { return accepts(entry.second); });
}

bool IsScalarList(const Field& v) { return IsListOf(v, IsScalar); }

bool IsRange(const Field& v) {
  return IsMapOf(v, IsInteger) && std::ranges::all_of(v.Entries(), [](const auto& entry) {
           return entry.first == "min" || entry.first == "max";
         });
}

bool IsCount(const Field& v) { return v.is_int() || IsRange(v) || IsListOf(v, IsInteger); }

bool IsConditions(const Field& v) {
  return IsListOf(v, [](const Field& condition) {
    return IsMapOf(condition, [](const Field& e) { return IsScalar(e) || IsScalarList(e); });
  });
}

// What was expected instead; nothing: the value is right.
std::optional<std::string_view> Mismatch(Shape shape, const Field& v) {
  using Wanted = std::optional<std::string_view>;
  const auto unless = [](bool holds, std::string_view wanted) {
    return holds ? Wanted() : Wanted(wanted);
  };
  const auto node = [](const Field& e) { return !e.present() || IsScalar(e) || IsScalarList(e); };
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
      return unless(v.is_bool() || v.is_int() || IsScalarList(v),
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

void CheckObject(const Field& value) {
  if (!value.is_object()) value.Fail("must be an object, not " + std::string(value.kind()));
}

void CheckShape(Shape shape, const Field& value) {
  if (const auto wanted = Mismatch(shape, value))
    value.Fail("must be " + std::string(*wanted) + ", not " + std::string(value.kind()));
  if (shape != Shape::kConditions) return;
  for (const Field& condition : value.Items()) condition.OnlyKnown(kConditionFields);
}

}  // namespace batholith
