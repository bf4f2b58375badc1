#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/devices.h"
#include "cel/program.h"
#include "cel/value.h"

namespace batholith {

// What a selector may name: the variable `device`, with its driver, its attributes and capacities
// by domain and name, and whether several requests may share it.
const cel::Environment& DeviceEnvironment();

// The variable for one device. Nothing of the record is copied, and nothing is looked up before an
// expression asks for it. The driver's name and the record outlive every value that is made of it.
class DeviceVariable final : public cel::Map {
 public:
  // REQUIRES: attributes of types that are known, and versions that are some.
  DeviceVariable(std::string_view driver, const Device& device)
      : driver_(driver), device_(device) {}

  std::size_t size() const override;
  std::optional<cel::Value> Find(const cel::Value& key) const override;
  std::vector<cel::Value> Keys() const override;

 private:
  std::string_view driver_;
  const Device& device_;
};

}  // namespace batholith
