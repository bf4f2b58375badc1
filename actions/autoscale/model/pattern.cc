#include "actions/autoscale/model/pattern.h"

#include <re2/re2.h>

#include <utility>

namespace batholith {

std::optional<Pattern> Pattern::Of(const std::string& text) {
  auto compiled = std::make_shared<const re2::RE2>(text, re2::RE2::Quiet);
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
