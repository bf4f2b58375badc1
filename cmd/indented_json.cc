#include "cmd/indented_json.h"

#include "cmd/terminal.h"
#include "codec/json/text.h"

namespace batholith {
namespace {

namespace json = boost::json;

void WriteJson(const json::value& value, const std::string& indent, std::string& out) {
  const std::string inner = indent + "    ";
  const char* between = "\n";
  if (value.is_object() && !value.get_object().empty()) {
    out += '{';
    for (const auto& [name, item] : value.get_object()) {
      out += between + inner + JsonText(json::string(name)) + ": ";
      WriteJson(item, inner, out);
      between = ",\n";
    }
    out += "\n" + indent + "}";
  } else if (value.is_array() && !value.get_array().empty()) {
    out += '[';
    for (const json::value& item : value.get_array()) {
      out += between + inner;
      WriteJson(item, inner, out);
      between = ",\n";
    }
    out += "\n" + indent + "]";
  } else {
    out += JsonText(value);
  }
}

}  // namespace

std::string IndentedJson(const json::value& value) {
  std::string out;
  WriteJson(value, "", out);
  return out + "\n";
}

std::string JsonFor(int fd, const json::value& value) {
  return IsTerminal(fd) ? IndentedJson(value) : JsonText(value) + "\n";
}

}  // namespace batholith
