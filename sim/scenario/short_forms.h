#pragma once

#include <array>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"

namespace batholith {

// The fields of a scenario that hold short forms.
inline constexpr std::array<std::string_view, 8> kShortForms{
    "nodes", "queues", "namespaces", "jobs", "pods", "quotas", "priorityClasses", "nodeGroups"};

// One entry under `field` written out as ordinary Kubernetes objects. Errors: a field that the form
// does not have, a value of the wrong kind; `path` says where the form stands.
Result<std::vector<boost::json::value>> ExpandShortForm(std::string_view field,
                                                        const boost::json::value& form,
                                                        const std::string& path);

// Whether so many copies of an object stay within what a short form may become (codec/limits.h).
Result<void> CheckCopies(std::int64_t copies, const boost::json::value& object,
                         const std::string& path);

}  // namespace batholith
