#pragma once

#include <string>

namespace batholith::cel {

// The shortest text that reads back as the same number, with an exponent below 10^-4 and from 10^6
// on: "1.5", "1e+06", "+Inf".
std::string DoubleText(double number);

}  // namespace batholith::cel
