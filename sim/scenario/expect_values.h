#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource_schema.h"
#include "scheduler/run_outcome.h"
#include "sim/scenario/expect.h"

// Comparisons that several parts of an expectation share.
namespace batholith {

// A count is n, {min, max}, or a list of allowed numbers.
bool CountHolds(const boost::json::value& count, std::int64_t n);
std::string CountText(const boost::json::value& count);

// One value or a list of the allowed ones.
bool OneOf(const boost::json::value& allowed, std::string_view text);

// "a, b, c", shortened.
std::string Joined(const std::vector<std::string>& names);

// Each listed resource as a quantity; one absent from `got` is 0.
void CompareResources(const boost::json::value& expected, const ResourceList& got,
                      const std::string& what, std::vector<Failure>& failures);
void CompareNumber(const boost::json::value& expected, double got, const std::string& what,
                   std::vector<Failure>& failures);
void CompareText(const boost::json::value& expected, std::string_view got, const std::string& what,
                 std::vector<Failure>& failures);
// Each expected condition {type, status, reason, message: substring} is there.
void CompareConditions(const boost::json::value& expected, const std::vector<JobCondition>& got,
                       const std::string& what, std::vector<Failure>& failures);

// The key of the pod's job; empty for a pod of nobody's.
std::string JobKeyOf(const PodRecord& pod);

}  // namespace batholith
