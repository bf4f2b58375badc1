#pragma once

#include <boost/json/object.hpp>

#include "test/bench/settings.h"

namespace batholith::bench {

// The one line that session_bench prints: sizes, figures, checks.
boost::json::object Report(const Settings& settings, const Measurement& measurement);

}  // namespace batholith::bench
