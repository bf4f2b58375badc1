#include "api/pattern.h"

#include <re2/re2.h>

#include <cstdint>
#include <utility>

namespace batholith {
namespace {

// For one pattern, compiled and as it is matched.
constexpr std::int64_t kMostMemory = 1 << 20;

}  // namespace

std::optional<Pattern> Pattern::Of(const std::string& text) {
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_max_mem(kMostMemory);
  auto compiled = std::make_shared<const re2::RE2>(text, options);
  if (!compiled->ok()) return std::nullopt;
  return Pattern(std::move(compiled));
}

bool Pattern::FoundIn(std::string_view name) const {
  return re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *compiled_);
}

bool Pattern::operator==(const Pattern& other) const {
  return compiled_->pattern() == other.compiled_->pattern();
}

}  // namespace batholith
