#pragma once

#include <boost/json/object.hpp>
#include <vector>

#include "verify/expect.h"
#include "verify/run.h"

namespace batholith {

// `placeholders`: {count, unplaced, size, pods: {name: node}} of the last session; null: no place.
void CheckPlaceholders(const boost::json::object& expected, const RunOutcome& outcome,
                       std::vector<Failure>& failures);

// `nodeGroups`: {name: {current, target, recommended, reason: substring}} of the last session.
void CheckNodeGroups(const boost::json::object& expected, const RunOutcome& outcome,
                     std::vector<Failure>& failures);

}  // namespace batholith
