#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace batholith {

// One YAML document in block style, which reads back as the same value: keys in the order in which
// they were put, texts of several lines as a block, texts that would read as something else in
// quotes. Ends in a line break.
std::string YamlText(const boost::json::value& value);

}  // namespace batholith
