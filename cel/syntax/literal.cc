#include "cel/syntax/literal.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "cel/syntax/number.h"

namespace batholith::cel {
namespace {

// Decimal, or with the prefix 0x.
struct Digits {
  std::string text;
  int base = 10;
};
Digits DigitsOf(std::string_view text, bool negative) {
  Digits out{std::string(text)};
  if (text.starts_with("0x")) out = {out.text.substr(2), 16};
  if (negative) out.text.insert(0, 1, '-');
  return out;
}

std::string WithUnixLines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t c = 0; c < text.size(); ++c) {
    if (text[c] != '\r') {
      out += text[c];
    } else if (c + 1 == text.size() || text[c + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

char SimpleEscape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;  // a quote, a question mark or the backslash itself
  }
}

// How many digits follow the letter of an escape, and of which base; 0: none.
struct Coded {
  std::size_t skip;
  std::size_t digits;
  int base;
};
Coded CodedEscape(char c) {
  if (c == 'x' || c == 'X') return {2, 2, 16};
  if (c == 'u') return {2, 4, 16};
  if (c == 'U') return {2, 8, 16};
  if (c >= '0' && c <= '3') return {1, 3, 8};
  return {0, 0, 0};
}

// REQUIRES: a text that the lexer has accepted, without prefix for bytes.
Result<std::string> Unquoted(std::string_view written, bool bytes) {
  const std::string text = WithUnixLines(written);
  std::string_view rest = text;
  const bool raw = rest.starts_with('r') || rest.starts_with('R');
  if (raw) rest.remove_prefix(1);
  const bool triple = rest.size() >= 6 && rest[0] == rest[1] && rest[1] == rest[2];
  const std::size_t quotes = triple ? 3 : 1;
  rest = rest.substr(quotes, rest.size() - 2 * quotes);
  if (raw) return std::string(rest);
  std::string out;
  out.reserve(rest.size());
  while (!rest.empty()) {
    if (rest[0] != '\\') {
      out += rest[0];
      rest.remove_prefix(1);
      continue;
    }
    const Coded coded = CodedEscape(rest[1]);
    if (coded.digits == 0) {
      out += SimpleEscape(rest[1]);
      rest.remove_prefix(2);
      continue;
    }
    const auto code = static_cast<std::uint32_t>(
        ReadUint(rest.substr(coded.skip, coded.digits), coded.base).value_or(0));
    if (bytes && (rest[1] == 'u' || rest[1] == 'U'))
      return Invalid("bytes have no escapes of Unicode characters");
    if (!bytes && (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)))
      return Invalid("an escape that stands for no Unicode character");
    if (bytes) {
      out += static_cast<char>(code);
    } else {
      AppendUtf8(out, code);
    }
    rest.remove_prefix(coded.skip + coded.digits);
  }
  return out;
}

}  // namespace

Result<Value> IntLiteral(std::string_view text, bool negative) {
  const Digits digits = DigitsOf(text, negative);
  const auto number = ReadInt(digits.text, digits.base);
  if (!number) return Invalid("an int does not fit into 64 bits");
  return Value::Int(*number);
}

Result<Value> UintLiteral(std::string_view text) {
  const Digits digits = DigitsOf(text.substr(0, text.size() - 1), false);
  const auto number = ReadUint(digits.text, digits.base);
  if (!number) return Invalid("a uint does not fit into 64 bits");
  return Value::Uint(*number);
}

Result<Value> DoubleLiteral(std::string_view text, bool negative) {
  const auto number = ReadDouble(text);
  if (!number || std::isinf(*number)) return Invalid("a double that is too large");
  return Value::Double(negative ? -*number : *number);
}

Result<Value> StringLiteral(std::string_view text) {
  auto out = Unquoted(text, false);
  if (!out) return std::unexpected(std::move(out.error()));
  return Value::String(std::move(*out));
}

Result<Value> BytesLiteral(std::string_view text) {
  auto out = Unquoted(text.substr(1), true);
  if (!out) return std::unexpected(std::move(out.error()));
  return Value::Bytes(std::move(*out));
}

void AppendUtf8(std::string& out, char32_t code) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace batholith::cel
