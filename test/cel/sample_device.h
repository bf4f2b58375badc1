#pragma once

#include <string>

#include "api/device_amount.h"
#include "api/devices.h"

namespace batholith {

inline constexpr const char* kSampleDriver = "acc.example.com";

// The device that the expressions of test/cel/tables speak of.
inline Device SampleDevice() {
  Device out;
  out.attributes = {{"model", std::string("Kestrel-7")},
                    {"cores", std::int64_t{48}},
                    {"offset", std::int64_t{-3}},
                    {"ready", true},
                    {"faulty", false},
                    {"firmware", DeviceVersion{"2.4.1"}},
                    {"driverver", DeviceVersion{"1.10.0-beta.2"}},
                    {"bus.example.org/slot", std::string("0000:3b:00.0")},
                    {"bus.example.org/root", std::string("pci-2")},
                    {"lanes.example.org/width", std::int64_t{16}},
                    {"empty", std::string()}};
  out.capacity["memory"].value = *ParseDeviceAmount("40Gi");
  out.capacity["engines"].value = *ParseDeviceAmount("7");
  out.capacity["bus.example.org/bandwidth"].value = *ParseDeviceAmount("1500M");
  out.capacity["frac"].value = *ParseDeviceAmount("250m");
  return out;
}

}  // namespace batholith
