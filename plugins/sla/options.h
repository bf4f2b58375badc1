#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "framework/options/arguments.h"

namespace batholith {

struct SlaOptions {
  // After waiting this long a job goes first; positive. None: only jobs that say so themselves.
  std::optional<std::chrono::nanoseconds> waiting_time;
};

std::span<const ArgumentSpec> SlaArguments();
SlaOptions ReadSlaOptions(const Arguments& arguments);

}  // namespace batholith
