#pragma once

#include <array>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json/field.h"

namespace batholith {

// The fields of a scenario that hold short forms.
inline constexpr std::array<std::string_view, 8> kShortForms{
    "nodes", "queues", "namespaces", "jobs", "pods", "quotas", "priorityClasses", "nodeGroups"};

// One entry under `field` written out as ordinary Kubernetes objects. Throws a FieldError: a field
// that the form does not have, a value of the wrong kind.
std::vector<boost::json::value> ExpandShortForm(std::string_view field, const Field& form);

// Throws a FieldError of the count where so many copies of an object are more than a short form may
// become (codec/limits.h).
void CheckCopies(std::int64_t copies, const boost::json::value& object, const Field& count);

}  // namespace batholith
