#pragma once

#include <boost/json/array.hpp>
#include <span>
#include <vector>

#include "api/objects.h"
#include "codec/json/field.h"

// Conditions of a status, but for when they turned.
namespace batholith {

std::vector<JobCondition> ReadConditions(const Field& status);
boost::json::array ConditionList(std::span<const JobCondition> conditions);

}  // namespace batholith
