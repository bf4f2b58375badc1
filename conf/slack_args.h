#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"
#include "conf/plugin_args.h"

namespace batholith {

// The arguments of action slack. Source: resource slack reference 4.3.
std::span<const ArgSpec> SlackArgSpecs();

// Who may use the room of placeholders; nobody named: anybody.
struct SlackConsumers {
  std::optional<std::int32_t> min_priority;
  std::vector<std::string> queues;
  bool empty() const { return !min_priority && queues.empty(); }
};

struct SlackArguments {
  std::int64_t rate_ppm = 0;   // parts per million of the base
  bool capacity_base = false;  // else what pods request
  std::int64_t granularity = 5;
  std::string shape = "envelope";  // average, biggest, envelope
  std::int64_t max_placeholders = 5000;
  std::chrono::nanoseconds window{};
  std::string placement = "auto";  // auto, pack, spread
  bool capacity_buffers = true;
  SlackConsumers consumers;
};

// A rate: "10%", "0.1", "12.5 %". Exact to a millionth; nothing where the text is no such number,
// is negative or has more digits.
std::optional<std::int64_t> ParseRatePpm(std::string_view text);

// REQUIRES: arguments passed ValidateArguments. Errors: a bad rate, two spellings of it, a rate
// that cannot settle, consumers that name a queue twice or none.
Result<SlackArguments> ParseSlackArguments(const Arguments& arguments);

}  // namespace batholith
