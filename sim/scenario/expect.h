#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "codec/json/field.h"
#include "scheduler/run_outcome.h"

namespace batholith {

struct Failure {
  std::string expected;
  std::string got;
};

// Throws a FieldError where an `expect` block cannot be understood: an unknown field, with a "did
// you mean", or a value of the wrong kind.
void CheckExpectShape(const Field& expect);

// What of an expectation does not hold, in the order in which it is written; empty: all holds.
// `error` is the caller's. REQUIRES: CheckExpectShape passed.
std::vector<Failure> CheckExpect(const boost::json::object& expect, const RunOutcome& outcome);

// Whether somebody asks for what the first attempt to place a pod saw.
bool NeedsTrace(const boost::json::object& expect);

}  // namespace batholith
