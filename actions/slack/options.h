#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "actions/slack/model/sizing.h"
#include "actions/slack/room.h"
#include "api/result.h"
#include "framework/action_needs.h"
#include "framework/options/arguments.h"

namespace batholith {

struct SlackOptions {
  std::int64_t rate_ppm = 0;   // parts per million of the base
  bool capacity_base = false;  // else what pods request
  std::int64_t granularity = 5;
  SlackShape shape = SlackShape::kEnvelope;
  std::int64_t max_placeholders = 5000;
  std::chrono::nanoseconds window{};
  std::optional<SlackOrder> order;  // none: as the conf places pods
  bool capacity_buffers = true;
  SlackConsumers consumers;
};

std::span<const ArgumentSpec> SlackArguments();

// Errors: a bad rate, two spellings of it, a rate that cannot settle, consumers that name a queue
// twice or none.
OptionResult<SlackOptions> ReadSlackOptions(const Arguments& arguments);

}  // namespace batholith
