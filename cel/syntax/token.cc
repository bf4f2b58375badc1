#include "cel/syntax/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace batholith::cel {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool StartsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Run() {
    while (SkipBlanks(), at_ < text_.size()) {
      const std::size_t start = at_;
      const auto kind = Next();
      if (!kind) return Invalid(fmt::format("at {}: {}", start + 1, error_));
      tokens_.push_back({*kind, static_cast<std::uint32_t>(start), Since(start)});
    }
    tokens_.push_back({Token::Kind::kEnd, static_cast<std::uint32_t>(at_), {}});
    return std::move(tokens_);
  }

 private:
  std::string_view Since(std::size_t start) const { return text_.substr(start, at_ - start); }
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool StartsWith(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (StartsWith("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::string_view("\t \r\n\f").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::optional<Token::Kind> Next() {
    if (const auto text = TextLiteral()) return text;
    if (!error_.empty()) return std::nullopt;
    if (StartsName(Peek())) return Name();
    if (IsDigit(Peek()) || (Peek() == '.' && IsDigit(Peek(1)))) return Number();
    static constexpr std::array<std::string_view, 6> kLong = {"==", "!=", "<=", ">=", "&&", "||"};
    for (const std::string_view symbol : kLong) {
      if (!StartsWith(symbol)) continue;
      at_ += symbol.size();
      return Token::Kind::kSymbol;
    }
    if (std::string_view("<>[]{}().,-!?:+*/%").find(Peek()) == std::string_view::npos) {
      error_ = "this character starts no word";
      return std::nullopt;
    }
    ++at_;
    return Token::Kind::kSymbol;
  }

  Token::Kind Name() {
    const std::size_t start = at_;
    while (StartsName(Peek()) || IsDigit(Peek())) ++at_;
    const std::string_view name = Since(start);
    const bool keyword = name == "in" || name == "true" || name == "false" || name == "null";
    return keyword ? Token::Kind::kKeyword : Token::Kind::kIdentifier;
  }

  Token::Kind Number() {
    if (StartsWith("0x") && IsHexDigit(Peek(2))) {
      at_ += 2;
      while (IsHexDigit(Peek())) ++at_;
      return Unsigned() ? Token::Kind::kUint : Token::Kind::kInt;
    }
    bool real = false;
    SkipDigits();
    if (Peek() == '.' && IsDigit(Peek(1))) {
      real = true;
      ++at_;
      SkipDigits();
    }
    if (Peek() == 'e' || Peek() == 'E') {
      const std::size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
      if (IsDigit(Peek(1 + sign))) {
        real = true;
        at_ += 1 + sign;
        SkipDigits();
      }
    }
    if (real) return Token::Kind::kDouble;
    return Unsigned() ? Token::Kind::kUint : Token::Kind::kInt;
  }

  void SkipDigits() {
    while (IsDigit(Peek())) ++at_;
  }

  bool Unsigned() {
    if (Peek() != 'u' && Peek() != 'U') return false;
    ++at_;
    return true;
  }

  // Nothing: no text starts here, or error_ says what is wrong with it.
  std::optional<Token::Kind> TextLiteral() {
    std::size_t prefix = 0;
    const bool bytes = Peek() == 'b' || Peek() == 'B';
    if (bytes) ++prefix;
    const bool raw = Peek(prefix) == 'r' || Peek(prefix) == 'R';
    if (raw) ++prefix;
    const char quote = Peek(prefix);
    if (quote != '"' && quote != '\'') return std::nullopt;
    at_ += prefix;
    const std::string three(3, quote);
    const bool closed = StartsWith(three) ? Triple(three, raw) : Single(quote, raw);
    if (!closed) return std::nullopt;
    return bytes ? Token::Kind::kBytes : Token::Kind::kString;
  }

  bool Triple(std::string_view three, bool raw) {
    const std::size_t start = at_;
    at_ += 3;
    while (at_ < text_.size()) {
      if (StartsWith(three)) {
        at_ += 3;
        return true;
      }
      if (!raw && Peek() == '\\' ? !Escape() : (++at_, false)) return false;
    }
    // Three quotes that are never closed may be an empty text and something else.
    at_ = start + 2;
    return true;
  }

  bool Single(char quote, bool raw) {
    ++at_;
    while (at_ < text_.size() && Peek() != '\n' && Peek() != '\r') {
      if (Peek() == quote) {
        ++at_;
        return true;
      }
      if (!raw && Peek() == '\\' ? !Escape() : (++at_, false)) return false;
    }
    error_ = "a text without an end";
    return false;
  }

  bool Escape() {
    const char c = Peek(1);
    if (c != '\0' && std::string_view("abfnrtv\"'\\?`").find(c) != std::string_view::npos) {
      at_ += 2;
      return true;
    }
    const auto digits = [this](std::size_t from, std::size_t count, bool (*fits)(char)) {
      for (std::size_t d = 0; d < count; ++d) {
        if (!fits(Peek(from + d))) return false;
      }
      at_ += from + count;
      return true;
    };
    if (((c == 'x' || c == 'X') && digits(2, 2, IsHexDigit)) ||
        (c == 'u' && digits(2, 4, IsHexDigit)) || (c == 'U' && digits(2, 8, IsHexDigit)))
      return true;
    if (c >= '0' && c <= '3' && digits(2, 2, [](char o) { return o >= '0' && o <= '7'; }))
      return true;
    error_ = "a text with an escape that the language does not have";
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> Tokens(std::string_view text) { return Lexer(text).Run(); }

}  // namespace batholith::cel
