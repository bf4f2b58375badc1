#include "api/label_match.h"

#include <algorithm>

#include "api/value_text.h"

namespace batholith {

namespace {

bool Compares(const Requirement& r, const std::string& text) {
  if (r.values.size() != 1) return false;
  const auto have = ParseGoInt(text);
  const auto bound = ParseGoInt(r.values.front());
  if (!have || !bound) return false;
  return r.op == Requirement::Op::kGt ? *have > *bound : *have < *bound;
}

}  // namespace

bool MatchesRequirement(const Requirement& r, const std::string* value) {
  const auto listed = [&] { return std::ranges::find(r.values, *value) != r.values.end(); };
  switch (r.op) {
    case Requirement::Op::kIn:
      return value != nullptr && listed();
    case Requirement::Op::kNotIn:
      return !r.values.empty() && (value == nullptr || !listed());
    case Requirement::Op::kExists:
      return value != nullptr;
    case Requirement::Op::kDoesNotExist:
      return value == nullptr;
    case Requirement::Op::kGt:
    case Requirement::Op::kLt:
      return value != nullptr && Compares(r, *value);
  }
  return false;
}

bool MatchesLabels(std::span<const Requirement> requirements, const Labels& labels) {
  return std::ranges::all_of(requirements, [&](const Requirement& r) {
    const auto it = labels.find(r.key);
    return MatchesRequirement(r, it == labels.end() ? nullptr : &it->second);
  });
}

bool MatchesSelector(const std::optional<LabelSelector>& selector, const Labels& labels) {
  return selector && MatchesLabels(selector->requirements, labels);
}

}  // namespace batholith
