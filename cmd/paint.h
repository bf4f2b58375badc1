#pragma once

#include <string>
#include <string_view>

namespace batholith {

// A line of an output, without its end, in the colours of a terminal: heads of tables are bold,
// what is wrong is red, what is doubtful yellow. REQUIRES: nothing hidden (api/printable.h).
std::string Painted(std::string_view line);

}  // namespace batholith
