#pragma once

#include <string>
#include <string_view>

namespace batholith {

// A message with # in place of each number and amount: what is left is the same where only counts
// moved. Numbers inside of names stay: "0/4 nodes: 2 insufficient cpu in q-1" gives
// "#/# nodes: # insufficient cpu in q-1".
std::string WithoutNumbers(std::string_view text);

}  // namespace batholith
