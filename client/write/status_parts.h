#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string_view>

#include "client/write/wanted_status.h"
#include "codec/json/field.h"

// What the patches of statuses are made of.
namespace batholith {

// The condition of a type in a status as the server has it; absent: there is none.
Field FindCondition(const boost::json::object& status, std::string_view type);

// Whether it says what is wanted, but for when.
bool SaysTheSame(const Field& seen, const JobCondition& wanted);

// Nothing where `status` is empty. `sub`: what stands behind the object's path; `type`: of the
// patch.
std::optional<Patch> StatusPatch(const SeenObject& seen, boost::json::object status,
                                 std::string_view sub, const char* type);

// How many tasks of the job have the status.
std::int64_t CountOf(const JobStatus& status, const char* task_status);

}  // namespace batholith
