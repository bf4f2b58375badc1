#include "codec/selector.h"

#include <algorithm>
#include <string_view>

#include "api/label_match.h"
#include "api/value_text.h"

namespace batholith {
namespace {

using Op = Requirement::Op;

constexpr Choices<Op, 4> kLabelOperators{{{"In", Op::kIn},
                                          {"NotIn", Op::kNotIn},
                                          {"Exists", Op::kExists},
                                          {"DoesNotExist", Op::kDoesNotExist}}};
constexpr Choices<Op, 6> kNodeOperators{{{"In", Op::kIn},
                                         {"NotIn", Op::kNotIn},
                                         {"Exists", Op::kExists},
                                         {"DoesNotExist", Op::kDoesNotExist},
                                         {"Gt", Op::kGt},
                                         {"Lt", Op::kLt}}};
constexpr Choices<Op, 2> kFieldOperators{{{"In", Op::kIn}, {"NotIn", Op::kNotIn}}};

// A name as labels have it, or nothing.
bool IsLabelValue(std::string_view text) {
  constexpr std::size_t kLongest = 63;
  const auto ends = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto inner = [&](char c) { return ends(c) || c == '-' || c == '_' || c == '.'; };
  return text.empty() || (text.size() <= kLongest && ends(text.front()) && ends(text.back()) &&
                          std::ranges::all_of(text, inner));
}

void CheckValues(const Requirement& r, const Field& values) {
  switch (r.op) {
    case Op::kIn:
    case Op::kNotIn:
      if (r.values.empty()) values.Flaw("must name a value where operator is In or NotIn");
      return;
    case Op::kExists:
    case Op::kDoesNotExist:
      if (!r.values.empty()) values.Flaw("must be empty where operator is Exists or DoesNotExist");
      return;
    case Op::kGt:
    case Op::kLt:
      if (r.values.size() != 1) values.Flaw("must be one whole number where operator is Gt or Lt");
      return;
  }
}

template <std::size_t n>
std::vector<Requirement> ReadRequirements(const Field& list, const Choices<Op, n>& operators) {
  std::vector<Requirement> out;
  for (const Field& item : list.Items()) {
    const std::size_t flaws = item.flaw_count();
    const std::optional<Op> op = item["operator"].OneOf(operators);
    Requirement r{item["key"].Text(), op.value_or(Op::kIn), item["values"].Texts()};
    if (r.key.empty()) item["key"].Flaw("is missing");
    if (op) CheckValues(r, item["values"]);
    if (item.flaw_count() == flaws) out.push_back(std::move(r));
  }
  return out;
}

// The name of one node.
std::vector<Requirement> ReadNodeFields(const Field& list) {
  std::vector<Requirement> out;
  for (const Field& item : list.Items()) {
    Requirement r{item["key"].Text(), item["operator"].OneOf(kFieldOperators).value_or(Op::kIn),
                  item["values"].Texts()};
    if (r.key != "metadata.name")
      item["key"].Flaw("\"" + Printable(r.key) + "\" must be metadata.name");
    if (r.values.size() != 1) item["values"].Flaw("must be the name of one node");
    out.push_back(std::move(r));
  }
  return out;
}

// A node selector is no selector at all for kube-scheduler where labels cannot have what it names.
bool CanMatch(const Requirement& r) {
  if (r.op == Op::kGt || r.op == Op::kLt) return ParseGoInt(r.values.front()).has_value();
  return std::ranges::all_of(r.values, IsLabelValue);
}

}  // namespace

std::optional<LabelSelector> ReadLabelSelector(const Field& selector) {
  if (!selector.present()) return std::nullopt;
  LabelSelector out;
  for (const auto& [key, value] : selector["matchLabels"].TextMap())
    out.requirements.push_back({key, Op::kIn, {value}});
  for (Requirement& r : ReadRequirements(selector["matchExpressions"], kLabelOperators))
    out.requirements.push_back(std::move(r));
  return out;
}

NodeSelectorTerm ReadNodeTerm(const Field& term) {
  const std::size_t flaws = term.flaw_count();
  NodeSelectorTerm out{ReadRequirements(term["matchExpressions"], kNodeOperators),
                       ReadNodeFields(term["matchFields"])};
  const bool can_match =
      term.flaw_count() == flaws && std::ranges::all_of(out.expressions, CanMatch);
  return can_match ? out : NodeSelectorTerm{};
}

}  // namespace batholith
