#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/result.h"

namespace batholith::cel {

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,
    kSymbol,      // an operator or a bracket; text says which
    kKeyword,     // in, true, false, null
    kIdentifier,  // reserved words, too
    kInt,
    kUint,
    kDouble,
    kString,
    kBytes,
  };
  Kind kind = Kind::kEnd;
  std::uint32_t position = 0;  // of the first byte
  std::string_view text;       // as it is written, quotes and prefixes included
};

// The words of an expression, white space and comments left out; the last is kEnd. Tokens refer to
// the text. Errors: a character that starts no word, a text without an end or with an escape that
// the language does not have.
Result<std::vector<Token>> Tokens(std::string_view text);

}  // namespace batholith::cel
