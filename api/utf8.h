#pragma once

#include <cstddef>
#include <string_view>

namespace batholith {

// How many bytes the UTF-8 sequence at `at` has; 0 where there is none (overlong forms and
// surrogates included). REQUIRES: at < text.size().
std::size_t SequenceLength(std::string_view text, std::size_t at);

}  // namespace batholith
