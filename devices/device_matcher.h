#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/device_claims.h"
#include "devices/device_pools.h"
#include "devices/device_selector.h"

namespace batholith {

// Which devices a class and the selectors of a request select. Each expression is compiled once,
// and evaluated once for a device. One thread adds, several may ask.
class DeviceMatcher {
 public:
  using ShapeId = std::uint32_t;  // a class with selectors
  enum class Answer : std::uint8_t { kNo, kYes, kCompileError, kRuntimeError, kNotBool };

  explicit DeviceMatcher(const DevicePools& pools) : pools_(pools) {}

  // Refers to the class. Cost: that of compiling what is new.
  ShapeId Add(const DeviceClassRecord& device_class, const std::vector<std::string>& selectors);
  // The first selector that is not true of the device decides.
  Answer Matches(ShapeId shape, DeviceId device) const;
  // What is wrong with a selector of the shape. Cost: where it fails at run time, as much as to ask
  // about each device.
  std::string ErrorText(ShapeId shape, Answer error) const;

 private:
  struct Expression {
    std::string text;
    std::optional<DeviceSelector> selector;  // absent: it cannot be compiled
    std::string error;
  };
  struct Shape {
    std::string_view device_class;
    std::vector<const Expression*> selectors;
    // By DeviceId: an Answer, or kNotAsked. Empty: there are too many to keep.
    std::unique_ptr<std::atomic<std::uint8_t>[]> answers;
  };

  const Expression* Compiled(const std::string& text);
  Answer Evaluate(const Shape& shape, DeviceId device, std::string* text) const;

  const DevicePools& pools_;
  std::unordered_map<std::string, std::unique_ptr<Expression>> expressions_;
  std::unordered_map<std::string, ShapeId> known_;
  std::vector<Shape> shapes_;
  std::size_t kept_ = 0;  // answers
};

}  // namespace batholith
