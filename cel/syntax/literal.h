#pragma once

#include <string>
#include <string_view>

#include "api/result.h"
#include "cel/value.h"

namespace batholith::cel {

// The value of a number or text as it is written. Errors: out of the range of its type, or an
// escape that stands for no character.
Result<Value> IntLiteral(std::string_view text, bool negative);
Result<Value> UintLiteral(std::string_view text);
Result<Value> DoubleLiteral(std::string_view text, bool negative);
Result<Value> StringLiteral(std::string_view text);
Result<Value> BytesLiteral(std::string_view text);

void AppendUtf8(std::string& out, char32_t code);

}  // namespace batholith::cel
