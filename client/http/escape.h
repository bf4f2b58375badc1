#pragma once

#include <string>
#include <string_view>

namespace batholith {

// Text as a value of a query, a part of a path, or a part of a header's name: percent-encoded but
// for letters, digits and -._~
std::string Escape(std::string_view text);

}  // namespace batholith
