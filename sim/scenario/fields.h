#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <span>
#include <string>
#include <string_view>

#include "api/result.h"

namespace batholith {

// What a value is, for a message: "a list", "a number" …
std::string_view KindOf(const boost::json::value& value);

// A scalar as it would be written: a number or boolean as text, a string as it is.
std::string ScalarText(const boost::json::value& value);

// Errors: the value is not of that kind. `path` says where it stands.
Result<const boost::json::object*> AsMapping(const boost::json::value& value,
                                             const std::string& path);
Result<const boost::json::array*> AsList(const boost::json::value& value, const std::string& path);
Result<std::string> AsText(const boost::json::value& value, const std::string& path);
Result<std::int64_t> AsInteger(const boost::json::value& value, const std::string& path);

// Errors: the mapping has a field that is not among `known`, with a "did you mean".
Result<void> OnlyKnown(const boost::json::object& mapping, const std::string& path,
                       std::span<const std::string_view> known);

}  // namespace batholith
