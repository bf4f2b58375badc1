#include "cmd/decisions_diff.h"

#include <boost/json.hpp>
#include <map>
#include <optional>
#include <string_view>

#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

using Elements = std::vector<std::pair<std::string, const json::value*>>;

// What one element of a list is about; empty: not to be told.
std::string SubjectOf(const json::value& element) {
  const Field glance = Field::Glance(element);
  // A pod stands once in a list; a namespace is told once for each queue, a quota may have one name
  // in several groups.
  if (glance["pod"].is_text()) return glance["pod"].Text();
  std::string out;
  for (const char* field : {"group", "queue", "name", "type"}) {
    if (glance[field].is_text()) out += (out.empty() ? "" : " ") + glance[field].Text();
  }
  return out;
}

// Nothing where two elements are about the same.
std::optional<Elements> ElementsOf(const json::array& list) {
  Elements out;
  std::map<std::string, int> seen;
  for (const json::value& element : list) {
    std::string subject = SubjectOf(element);
    if (subject.empty() || ++seen[subject] > 1) return std::nullopt;
    out.emplace_back(std::move(subject), &element);
  }
  return out;
}

class Comparer {
 public:
  std::vector<Difference> Release() { return std::move(out_); }

  void Compare(const std::string& where, const json::value& a, const json::value& b) {
    if (a == b) return;
    if (a.is_object() && b.is_object()) return CompareElements(where, Fields(a), Fields(b), false);
    if (a.is_array() && b.is_array()) {
      const auto elements_a = ElementsOf(a.get_array());
      const auto elements_b = ElementsOf(b.get_array());
      if (elements_a && elements_b)
        return CompareElements(where, *elements_a, *elements_b, /*ordered=*/true);
    }
    out_.push_back({where, a, b});
  }

 private:
  static Elements Fields(const json::value& object) {
    Elements out;
    for (const auto& [key, value] : object.get_object()) out.emplace_back(std::string(key), &value);
    return out;
  }

  void CompareElements(const std::string& where, const Elements& a, const Elements& b,
                       bool ordered) {
    const std::map<std::string_view, const json::value*> in_a(a.begin(), a.end());
    const std::map<std::string_view, const json::value*> in_b(b.begin(), b.end());
    const auto path = [&](std::string_view name) {
      if (ordered) return where + "[" + std::string(name) + "]";
      return where.empty() ? std::string(name) : where + "." + std::string(name);
    };
    std::vector<std::string_view> common;
    for (const auto& [name, value] : a) {
      const auto other = in_b.find(name);
      if (other == in_b.end()) {
        out_.push_back({path(name), *value, std::nullopt});
      } else {
        common.push_back(name);
        Compare(path(name), *value, *other->second);
      }
    }
    std::size_t place = 0;
    bool told = !ordered;
    for (const auto& [name, value] : b) {
      if (!in_a.contains(name)) {
        out_.push_back({path(name), std::nullopt, *value});
        continue;
      }
      const std::string_view before = common[place++];
      if (before == name || told) continue;
      told = true;
      out_.push_back({where + ": place " + std::to_string(place), json::value(std::string(before)),
                      json::value(name)});
    }
  }

  std::vector<Difference> out_;
};

}  // namespace

std::vector<Difference> DiffOf(const json::value& recorded, const json::value& now) {
  Comparer comparer;
  comparer.Compare("", recorded, now);
  return comparer.Release();
}

}  // namespace batholith
