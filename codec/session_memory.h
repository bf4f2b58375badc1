#pragma once

#include <boost/json/value.hpp>

#include "api/autoscale_report.h"
#include "api/slack_report.h"
#include "codec/json/field.h"

namespace batholith {

// What a session starts from beside its objects: the placeholders of the session before, and what
// autoscaling remembers.
struct SessionMemory {
  SlackReport slack;
  AutoscaleReport autoscale;
  bool empty() const { return !slack.ran && !autoscale.ran; }
  bool operator==(const SessionMemory&) const = default;
};

// Field by field, under the names of the structs.
boost::json::value Encode(const SessionMemory& memory);
// Absent: an empty one. Errors: FieldError.
SessionMemory ReadSessionMemory(const Field& field);

}  // namespace batholith
