#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace batholith {

// JSON on one line, with fractions as a person writes them: 0.5, where Boost.JSON says 5E-1. The
// shortest text that reads back as the same number; keys in the order in which they were put. What
// cannot be seen in a text is escaped (api/printable.h).
std::string JsonText(const boost::json::value& value);

}  // namespace batholith
