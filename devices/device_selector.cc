#include "devices/device_selector.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <variant>

#include "cel/functions/version.h"
#include "devices/device_variable.h"

namespace batholith {
namespace {

// As long as Kubernetes stores expressions.
constexpr std::size_t kLongest = 10 * 1024;

// Why a device cannot be asked about, whatever is asked. Empty: it can.
std::string Unreadable(const Device& device) {
  for (const auto& [name, attribute] : device.attributes) {
    if (std::holds_alternative<std::monostate>(attribute))
      return fmt::format("attribute {}: unsupported attribute value", name);
    const auto* version = std::get_if<DeviceVersion>(&attribute);
    if (version != nullptr && !cel::ReadVersion(version->text))
      return fmt::format("attribute {}: not a version: {}", name, version->text);
  }
  return "";
}

}  // namespace

std::string_view ReasonName(const SelectorError& error) {
  if (error.kind == SelectorError::Kind::kNotBool) return "not-bool";
  if (error.kind == SelectorError::Kind::kUnreadable) return "unreadable-attribute";
  switch (error.failure) {
    case cel::Failure::kNoSuchKey:
      return "no-such-key";
    case cel::Failure::kNoSuchOverload:
      return "no-such-overload";
    case cel::Failure::kDivisionByZero:
      return "division-by-zero";
    case cel::Failure::kOverflow:
      return "overflow";
    case cel::Failure::kConversion:
      return "conversion";
    case cel::Failure::kIndexOutOfBounds:
      return "index-out-of-bounds";
    case cel::Failure::kNoneDereferenced:
      return "none-dereferenced";
    case cel::Failure::kNotAVersion:
      return "not-a-version";
    case cel::Failure::kNotAQuantity:
      return "not-a-quantity";
    case cel::Failure::kInvalidArgument:
      return "invalid-argument";
    case cel::Failure::kCostLimit:
      return "cost-limit";
  }
  return "";
}

Result<DeviceSelector> DeviceSelector::Compile(std::string_view expression) {
  if (expression.size() > kLongest)
    return Invalid(fmt::format("the expression has {} bytes, and Kubernetes stores at most {}",
                               expression.size(), kLongest));
  auto program = cel::Program::Compile(expression, DeviceEnvironment());
  if (!program) return std::unexpected(std::move(program.error()));
  const cel::Type& type = program->type();
  // An attribute of an unknown type may be a bool; dyn, which Kubernetes knows as another type, is
  // refused there.
  if (type.kind != cel::Type::Kind::kBool && type.kind != cel::Type::Kind::kAny)
    return Invalid(
        fmt::format("must evaluate to bool or the unknown type, not {}", cel::TypeText(type)));
  return DeviceSelector(std::move(*program));
}

std::expected<bool, SelectorError> DeviceSelector::Matches(std::string_view driver,
                                                           const Device& device) const {
  if (std::string why = Unreadable(device); !why.empty())
    return std::unexpected(SelectorError{SelectorError::Kind::kUnreadable,
                                         cel::Failure::kInvalidArgument, std::move(why)});
  const DeviceVariable variable(driver, device);
  const std::array<cel::Value, 1> variables{cel::Value::Borrowed(variable)};
  const cel::Outcome outcome = program_.Evaluate(variables);
  if (outcome.value.is(cel::Value::Kind::kBool)) return outcome.value.as_bool();
  if (outcome.value.is_error()) {
    const cel::EvaluationError& error = outcome.value.error();
    return std::unexpected(
        SelectorError{SelectorError::Kind::kEvaluation, error.failure, error.message});
  }
  return std::unexpected(SelectorError{SelectorError::Kind::kNotBool,
                                       cel::Failure::kInvalidArgument, "the result is no bool"});
}

}  // namespace batholith
