#include "cmd/yaml_text.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "codec/json_text.h"

namespace batholith {
namespace {

namespace json = boost::json;

// Whether a reader of YAML 1.1 or 1.2 takes the plain text for a text. Careful, so that no list of
// numbers, dates and the like is needed: it begins with a letter and is no word of its own meaning.
bool ReadsAsText(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kWords{"y",  "n",   "yes",  "no",
                                                          "on", "off", "true", "false"};
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (text.empty() || lower(text[0]) < 'a' || lower(text[0]) > 'z') return false;
  std::string word(text);
  std::ranges::transform(word, word.begin(), lower);
  return word != "null" && std::ranges::find(kWords, word) == kWords.end();
}

// Whether a block of lines keeps every byte: yaml-cpp writes neither the mark for a missing last
// line break nor the one for a first line that is indented.
bool FitsInBlock(std::string_view text) {
  if (!text.ends_with('\n') || text.ends_with("\n\n")) return false;
  if (text.find('\n') == text.size() - 1 || text[0] == ' ' || text[0] == '\n') return false;
  return std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c < 0x7f); });
}

void WriteText(std::string_view text, YAML::Emitter& out) {
  if (FitsInBlock(text)) {
    out << YAML::Literal;
  } else if (!ReadsAsText(text)) {
    out << YAML::DoubleQuoted;
  }
  out << std::string(text);
}

void Write(const json::value& value, YAML::Emitter& out) {
  if (const json::object* object = value.if_object()) {
    if (object->empty()) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const auto& entry : *object) {
      out << YAML::Key;
      WriteText(entry.key(), out);
      out << YAML::Value;
      Write(entry.value(), out);
    }
    out << YAML::EndMap;
  } else if (const json::array* list = value.if_array()) {
    if (list->empty()) out << YAML::Flow;
    out << YAML::BeginSeq;
    for (const json::value& item : *list) Write(item, out);
    out << YAML::EndSeq;
  } else if (value.is_string()) {
    WriteText(value.get_string(), out);
  } else if (value.is_null()) {
    out << YAML::Null;
  } else {
    out << JsonText(value);
  }
}

}  // namespace

std::string YamlText(const json::value& value) {
  YAML::Emitter out;
  Write(value, out);
  const std::string_view text(out.c_str(), out.size());
  return std::string(text) + (text.ends_with('\n') ? "" : "\n");
}

}  // namespace batholith
