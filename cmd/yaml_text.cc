#include "cmd/yaml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "api/printable.h"
#include "api/utf8.h"
#include "codec/json/text.h"

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

// Whether a block of lines keeps every byte without a mark for its indentation or its last breaks.
bool FitsInBlock(std::string_view text) {
  if (!text.ends_with('\n') || text.ends_with("\n\n")) return false;
  if (text.find('\n') == text.size() - 1 || text[0] == ' ' || text[0] == '\n') return false;
  return std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c < 0x7f); });
}

std::string Escaped(std::string_view character) {
  if (character == "\n") return "\\n";
  if (character == "\t") return "\\t";
  if (character == "\r") return "\\r";
  if (character == "\"" || character == "\\") return "\\" + std::string(character);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1 && byte(0) >= 0x20 && byte(0) < 0x7f) return std::string(character);
  if (character.size() == 1 && byte(0) < 0x80) return fmt::format("\\x{:02x}", byte(0));
  if (character.size() == 1) return "\\ufffd";  // no UTF-8
  return OneLine(character);                    // with \u and \U, which YAML knows as well
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t n = std::max<std::size_t>(SequenceLength(text, at), 1);
    out += Escaped(text.substr(at, n));
    at += n;
  }
  return out + "\"";
}

// In quotes unless it is the same text without them: no colon, comment or space ends it early.
std::string Text(std::string_view text) {
  std::string quoted = Quoted(text);
  const bool plain = ReadsAsText(text) && !text.contains(": ") && !text.contains(" #") &&
                     !text.ends_with(':') && !text.ends_with(' ');
  // Without quotes nobody minds a quote or a backslash; whatever else is escaped needs them.
  const auto marks = std::ranges::count_if(text, [](char c) { return c == '"' || c == '\\'; });
  return plain && quoted.size() == text.size() + 2 + static_cast<std::size_t>(marks)
             ? std::string(text)
             : quoted;
}

std::string Inline(const json::value& value) {
  if (value.is_string()) return Text(value.get_string());
  return value.is_null() ? "~" : JsonText(value);
}

bool IsNest(const json::value& value) {
  return (value.is_object() && !value.get_object().empty()) ||
         (value.is_array() && !value.get_array().empty());
}

void WriteBehind(const json::value& value, std::size_t indent, std::string& out);

// A mapping or a list, at the place of its first key or item. REQUIRES: it is not empty.
void WriteNest(const json::value& value, std::size_t indent, std::string& out) {
  std::size_t spaces = 0;
  if (const json::object* object = value.if_object()) {
    for (const auto& entry : *object) {
      out.append(std::exchange(spaces, indent), ' ');
      out += Text(entry.key()) + ":";
      WriteBehind(entry.value(), indent, out);
    }
    return;
  }
  for (const json::value& item : value.get_array()) {
    out.append(std::exchange(spaces, indent), ' ');
    out += '-';
    if (item.is_object() && IsNest(item)) {
      out += ' ';
      WriteNest(item, indent + 2, out);
    } else {
      WriteBehind(item, indent, out);
    }
  }
}

// What stands behind a key or the mark of an item, to the end of the line and of all below it.
void WriteBehind(const json::value& value, std::size_t indent, std::string& out) {
  const std::string margin(indent + 2, ' ');
  if (IsNest(value)) {
    out += "\n" + margin;
    WriteNest(value, indent + 2, out);
  } else if (value.is_string() && FitsInBlock(value.get_string())) {
    out += " |\n";
    std::string_view rest = value.get_string();
    for (std::size_t end = 0; !rest.empty(); rest.remove_prefix(end)) {
      end = rest.find('\n') + 1;
      out += end == 1 ? "" : margin;
      out += rest.substr(0, end);
    }
  } else {
    out += " " + Inline(value) + "\n";
  }
}

}  // namespace

std::string YamlText(const json::value& value) {
  if (!IsNest(value)) return Inline(value) + "\n";
  std::string out;
  WriteNest(value, 0, out);
  return out;
}

}  // namespace batholith
