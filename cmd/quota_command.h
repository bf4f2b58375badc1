#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "cmd/kube_listing.h"

namespace batholith {

// "scheduler-plugins", "nos" or "koordinator".
std::string DialectNameOf(const boost::json::value& quota);
// What Koordinator's quota may use now, as its annotation says; null where it says nothing.
boost::json::value RuntimeOf(const boost::json::value& quota);

Result<void> ExplainQuota(KubeRun& run);

}  // namespace batholith
