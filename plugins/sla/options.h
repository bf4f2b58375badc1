#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "api/objects.h"
#include "framework/options/arguments.h"

namespace batholith {

struct SlaOptions {
  // After waiting this long a job goes first; positive. None: only jobs that say so themselves.
  std::optional<std::chrono::nanoseconds> waiting_time;
};

std::span<const ArgumentSpec> SlaArguments();
SlaOptions ReadSlaOptions(const Arguments& arguments);

// How long a job with these annotations waits before it goes first: what it says itself, else what
// the options say.
std::optional<std::chrono::nanoseconds> WaitingTimeOf(const Labels& annotations,
                                                      const SlaOptions& options);

}  // namespace batholith
