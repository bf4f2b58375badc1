#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace batholith {

// JSON as a person reads it, in lines, with a line break at the end.
std::string IndentedJson(const boost::json::value& value);
// The same where the descriptor is a terminal, else on one line.
std::string JsonFor(int fd, const boost::json::value& value);

}  // namespace batholith
