#include "cel/functions/regular_expression.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdint>

namespace batholith::cel {
namespace {

constexpr std::int64_t kPatternMemory = 8 << 20;

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

RegularExpression::RegularExpression(std::string_view pattern) {
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_max_mem(kPatternMemory);
  compiled_ = std::make_unique<const re2::RE2>(Piece(pattern), options);
}

RegularExpression::~RegularExpression() = default;

bool RegularExpression::ok() const { return compiled_->ok(); }

std::uint64_t RegularExpression::Steps(std::size_t characters) const {
  return (characters + 64) * static_cast<std::uint64_t>(std::max(compiled_->ProgramSize(), 1)) / 4;
}

bool RegularExpression::FoundIn(std::string_view text) const {
  return re2::RE2::PartialMatch(Piece(text), *compiled_);
}

std::string_view RegularExpression::Find(std::string_view text) const {
  re2::StringPiece match;
  if (!compiled_->Match(Piece(text), 0, text.size(), re2::RE2::UNANCHORED, &match, 1)) return {};
  return {match.data(), match.size()};
}

std::vector<std::string_view> RegularExpression::FindAll(std::string_view text,
                                                         std::size_t most) const {
  std::vector<std::string_view> out;
  std::size_t at = 0;
  std::size_t last_end = text.size() + 1;  // of the match before
  while (out.size() < most && at <= text.size()) {
    re2::StringPiece match;
    if (!compiled_->Match(Piece(text), at, text.size(), re2::RE2::UNANCHORED, &match, 1)) break;
    const auto start = static_cast<std::size_t>(match.data() - text.data());
    const std::size_t end = start + match.size();
    // As Go: an empty match right behind another one is none.
    if (end > start || start != last_end) out.push_back(text.substr(start, end - start));
    last_end = end;
    at = end;
    if (end == start) {
      // The next character.
      ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    }
  }
  return out;
}

}  // namespace batholith::cel
