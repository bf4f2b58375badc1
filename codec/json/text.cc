#include "codec/json/text.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "api/printable.h"

namespace batholith {
namespace {

namespace json = boost::json;

void Append(const json::value& value, std::string& out) {
  if (value.is_double()) {
    fmt::format_to(std::back_inserter(out), "{}", value.get_double());
  } else if (value.is_array()) {
    char before = '[';
    for (const json::value& item : value.get_array()) {
      out += before;
      Append(item, out);
      before = ',';
    }
    out += before == '[' ? "[]" : "]";
  } else if (value.is_object()) {
    char before = '{';
    for (const auto& entry : value.get_object()) {
      out += before;
      out += EscapedJson(json::serialize(entry.key())) + ":";
      Append(entry.value(), out);
      before = ',';
    }
    out += before == '{' ? "{}" : "}";
  } else {
    out += EscapedJson(json::serialize(value));
  }
}

}  // namespace

std::string JsonText(const json::value& value) {
  std::string out;
  Append(value, out);
  return out;
}

}  // namespace batholith
