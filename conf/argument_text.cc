#include "conf/argument_text.h"

#include <fmt/format.h>

#include <cmath>

namespace batholith {

std::string_view TypeText(ArgumentSpec::Type type) {
  using Type = ArgumentSpec::Type;
  switch (type) {
    case Type::kBool:
      return "true or false";
    case Type::kInt:
      return "a whole number";
    case Type::kFloat:
      return "a number";
    case Type::kString:
      return "text";
    case Type::kDuration:
      return "a duration such as 1h30m";
    case Type::kStringList:
      return "a comma-separated list";
    case Type::kTimeRange:
      return "a time range such as 22:00-06:00";
    case Type::kMap:
      return "a mapping";
  }
  return "";
}

std::string RangeText(const ArgumentSpec& spec) {
  const std::string_view unit = spec.type == ArgumentSpec::Type::kDuration ? "s" : "";
  if (std::isinf(spec.max)) return fmt::format("at least {}{}", spec.min, unit);
  if (std::isinf(spec.min)) return fmt::format("at most {}{}", spec.max, unit);
  return fmt::format("from {}{} to {}{}", spec.min, unit, spec.max, unit);
}

}  // namespace batholith
