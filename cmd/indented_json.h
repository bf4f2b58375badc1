#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace batholith {

// JSON as a person reads it, in lines, with a line break at the end.
std::string IndentedJson(const boost::json::value& value);

}  // namespace batholith
