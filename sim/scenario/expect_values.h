#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource_schema.h"
#include "codec/json/field.h"
#include "scheduler/run_outcome.h"
#include "sim/scenario/expect.h"

// Comparisons that several parts of an expectation share.
namespace batholith {

// A count is n, {min, max}, or a list of allowed numbers.
bool CountHolds(const Field& count, std::int64_t n);
std::string CountText(const Field& count);

// A value as a person would write it: a text as it is, a list or mapping as JSON.
std::string Written(const Field& value);

// One value or a list of the allowed ones.
bool OneOf(const Field& allowed, std::string_view text);

// "a, b, c", shortened.
std::string Joined(const std::vector<std::string>& names);

// Each listed resource as a quantity; one absent from `got` is 0.
void CompareResources(const Field& expected, const ResourceList& got,
                      std::vector<Failure>& failures);
void CompareNumber(const Field& expected, double got, std::vector<Failure>& failures);
void CompareText(const Field& expected, std::string_view got, std::vector<Failure>& failures);
// Each expected condition {type, status, reason, message: substring} is there.
void CompareConditions(const Field& expected, const std::vector<JobCondition>& got,
                       std::vector<Failure>& failures);

// The key of the pod's job; empty for a pod of nobody's.
std::string JobKeyOf(const PodRecord& pod);

}  // namespace batholith
