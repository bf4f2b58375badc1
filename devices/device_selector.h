#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/devices.h"
#include "api/result.h"
#include "cel/program.h"

namespace batholith {

// Why a selector gave no answer for a device: as cel::Failure, and a result that is no bool.
struct SelectorError {
  enum class Kind : std::uint8_t { kEvaluation, kNotBool, kUnreadable };
  Kind kind = Kind::kEvaluation;
  cel::Failure failure = cel::Failure::kInvalidArgument;  // of kEvaluation
  std::string message;
};

// "no-such-key", "cost-limit", "not-bool" …
std::string_view ReasonName(const SelectorError& error);

// The CEL expression of a device class or request, compiled once. Cheap to copy; devices may be
// asked about side by side.
class DeviceSelector {
 public:
  // Errors: what Kubernetes refuses when it compiles, or a function that this build does not have.
  static Result<DeviceSelector> Compile(std::string_view expression);

  // Nothing of the device is copied: the expression reads the record. Attributes and capacities
  // without a domain belong to the driver's; a domain that the device does not have is empty.
  std::expected<bool, SelectorError> Matches(std::string_view driver, const Device& device) const;

 private:
  explicit DeviceSelector(cel::Program program) : program_(std::move(program)) {}

  cel::Program program_;
};

}  // namespace batholith
