#pragma once

#include <string_view>

namespace batholith {

// Volcano's built-in conf: what holds where no conf is given. installer/volcano-scheduler.conf is
// the shipped one.
std::string_view DefaultConfText();

}  // namespace batholith
