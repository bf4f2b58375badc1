#include "codec/selector.h"

#include "api/label_match.h"

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

void CheckValues(const Requirement& r, const Field& values) {
  switch (r.op) {
    case Op::kIn:
    case Op::kNotIn:
      if (r.values.empty()) values.Fail("must name a value where operator is In or NotIn");
      return;
    case Op::kExists:
    case Op::kDoesNotExist:
      if (!r.values.empty()) values.Fail("must be empty where operator is Exists or DoesNotExist");
      return;
    case Op::kGt:
    case Op::kLt:
      if (r.values.size() != 1 || !ParseWhole(r.values.front()))
        values.Fail("must be one whole number where operator is Gt or Lt");
      return;
  }
}

template <std::size_t n>
std::vector<Requirement> ReadRequirements(const Field& list, const Choices<Op, n>& operators) {
  std::vector<Requirement> out;
  for (const Field& item : list.Items()) {
    Requirement r{item["key"].Text(), item["operator"].OneOf(operators), item["values"].Texts()};
    if (r.key.empty()) item["key"].Fail("is missing");
    CheckValues(r, item["values"]);
    out.push_back(std::move(r));
  }
  return out;
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

std::vector<Requirement> ReadNodeExpressions(const Field& list) {
  return ReadRequirements(list, kNodeOperators);
}

std::vector<Requirement> ReadNodeFields(const Field& list) {
  std::vector<Requirement> out = ReadRequirements(list, kFieldOperators);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Field item = list.Items()[i];
    if (out[i].key != "metadata.name")
      item["key"].Fail("\"" + Printable(out[i].key) + "\" must be metadata.name");
    if (out[i].values.size() != 1) item["values"].Fail("must be the name of one node");
  }
  return out;
}

}  // namespace batholith
