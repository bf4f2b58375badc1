#include "cel/functions/text_search.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

Value Contains(Arguments a, Work& work) {
  if (!work.Spend(1 + a[0].text().size() / 16)) return WorkExhausted();
  return Value::Bool(a[0].text().find(a[1].text()) != std::string_view::npos);
}

Value StartsWith(Arguments a, Work&) { return Value::Bool(a[0].text().starts_with(a[1].text())); }

Value EndsWith(Arguments a, Work&) { return Value::Bool(a[0].text().ends_with(a[1].text())); }

Value Matches(Arguments a, const RegularExpression& pattern, Work&) {
  return Value::Bool(pattern.FoundIn(a[0].text()));
}

Value Find(Arguments a, const RegularExpression& pattern, Work&) {
  return Value::PartOf(a[0], pattern.Find(a[0].text()));
}

Value FindAll(Arguments a, const RegularExpression& pattern, Work& work) {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  if (a.size() == 3 && a[2].as_int() >= 0) most = static_cast<std::size_t>(a[2].as_int());
  std::vector<Value> out;
  for (const std::string_view part : pattern.FindAll(a[0].text(), most))
    out.push_back(Value::PartOf(a[0], part));
  if (!work.Spend(out.size())) return WorkExhausted();
  return Value::ListOf(std::move(out));
}

using Search = Value (*)(Arguments, const RegularExpression&, Work&);

template <Search Run>
Value Compiled(Arguments a, Work& work) {
  const RegularExpression pattern(a[1].text());
  if (!pattern.ok())
    return Value::Fail(Failure::kInvalidArgument, "no regular expression: " + Shown(a[1]));
  constexpr std::uint64_t kCompile = 8;
  if (!work.Spend(kCompile * pattern.Steps(0) + pattern.Steps(a[0].text().size())))
    return WorkExhausted();
  return Run(a, pattern, work);
}

constexpr CallCost kSearchText{costs::Text};
constexpr CallCost kSearchPattern{costs::Pattern};
constexpr CallCost kSearchByName{costs::Pattern, true};

constexpr std::array kSearches{
    Overload{"contains", "string, string", "bool", Contains, {costs::TextTimesText}, true},
    Overload{"startsWith", "string, string", "bool", StartsWith, kSearchText, true},
    Overload{"endsWith", "string, string", "bool", EndsWith, kSearchText, true},
    Overload{"matches", "string, string", "bool", Compiled<Matches>},
    Overload{"matches", "string, string", "bool", Compiled<Matches>, kSearchPattern, true},
    Overload{"find", "string, string", "string", Compiled<Find>, kSearchByName, true},
    Overload{"findAll", "string, string", "list(string)", Compiled<FindAll>, kSearchByName, true},
    Overload{"findAll", "string, string, int", "list(string)", Compiled<FindAll>, kSearchByName,
             true},
};

}  // namespace

Value SearchText(std::string_view function, Arguments arguments, const RegularExpression& pattern,
                 Work& work) {
  if (!work.Spend(pattern.Steps(arguments[0].text().size()))) return WorkExhausted();
  if (function == "matches") return Matches(arguments, pattern, work);
  return function == "find" ? Find(arguments, pattern, work) : FindAll(arguments, pattern, work);
}

bool IsSearch(std::string_view function) {
  return function == "matches" || function == "find" || function == "findAll";
}

std::span<const Overload> TextSearch() { return kSearches; }

}  // namespace batholith::cel
