#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace batholith {

std::string EncodeBase64(std::string_view bytes);

// The standard alphabet; line breaks and spaces between the characters are skipped. Nothing where
// the text is none: another character, padding in the wrong place, a length that cannot be.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace batholith
