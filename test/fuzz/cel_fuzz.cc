// A selector of devices. What compiles gives the same of a device whenever it is asked.
#include <string>

#include "devices/device_selector.h"
#include "test/cel/sample_device.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  static const Device kDevice = SampleDevice();
  const auto selector = DeviceSelector::Compile(fuzz::TextOf(data, size));
  if (!selector) {
    CHECK(!selector.error().message.empty());
    return fuzz::kKeep;
  }
  const auto first = selector->Matches(kSampleDriver, kDevice);
  const auto second = selector->Matches(kSampleDriver, kDevice);
  CHECK(first.has_value() == second.has_value());
  if (first) {
    CHECK(*first == *second);
  } else {
    CHECK(!first.error().message.empty() && first.error().message == second.error().message);
  }
  return fuzz::kKeep;
}
