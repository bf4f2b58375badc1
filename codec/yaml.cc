#include "codec/yaml.h"

#include <algorithm>
#include <boost/json.hpp>
#include <expected>
#include <optional>
#include <utility>

#include "api/utf8.h"
#include "api/value_text.h"
#include "codec/json/parse.h"
#include "codec/limits.h"
#include "codec/yaml/reader.h"
#include "codec/yaml/tree.h"

namespace batholith {
namespace {

std::size_t LineAt(std::string_view text, std::size_t at) {
  return static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n')) + 1;
}

Error At(const std::string& file, std::size_t line, const std::string& reason) {
  return {ErrorCode::kInvalid, file + ": line " + std::to_string(line) + ": " + reason};
}

std::optional<std::size_t> FindBinary(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = text[i] == '\0' ? 0 : SequenceLength(text, i);
    if (n == 0) return i;
    i += n;
  }
  return std::nullopt;
}

// REQUIRES: no null.
boost::json::value PlainScalar(std::string_view text) {
  if (const std::optional<bool> truth = ParseYamlBool(text)) return *truth;
  const std::optional<std::int64_t> number = ParseNumber<std::int64_t>(text);
  if (number && std::to_string(*number) == text) return *number;
  return boost::json::value(text);
}

// Turns a document into a value. How deep a tree is and how much its aliases expand to is bounded
// by the reader. Throws YamlError where no JSON value can be made of a node.
boost::json::value Convert(const YamlNode& node);

// YAML's "<<": the keys of other mappings where there is none of one's own, as kubectl reads it.
void Merge(const YamlNode& source, boost::json::object& out) {
  if (source.is_list()) {
    for (const YamlNode& one : source.Items()) Merge(one, out);
    return;
  }
  if (!source.is_mapping()) throw YamlError{source.line(), "<< must name a mapping"};
  const boost::json::value more = Convert(source);
  for (const auto& entry : more.get_object()) out.emplace(entry.key(), entry.value());
}

boost::json::object ConvertMapping(const YamlNode& node) {
  boost::json::object out;
  std::vector<YamlNode> merged;
  for (const auto& [key, value] : node.Entries()) {
    if (!key.is_scalar()) throw YamlError{key.line(), "a key must be a plain text"};
    if (key.text() == "<<" && key.is_plain()) {
      merged.push_back(value);
    } else if (!out.emplace(key.text(), Convert(value)).second) {
      throw YamlError{key.line(),
                      "key " + std::string(key.text().substr(0, 100)) + " appears twice"};
    }
  }
  for (const YamlNode& source : merged) Merge(source, out);
  return out;
}

boost::json::value Convert(const YamlNode& node) {
  if (node.is_mapping()) return ConvertMapping(node);
  if (node.is_list()) {
    const std::vector<YamlNode> items = node.Items();
    boost::json::array out;
    out.reserve(items.size());
    for (const YamlNode& child : items) out.push_back(Convert(child));
    return out;
  }
  if (node.is_null()) return nullptr;
  return node.is_plain() ? PlainScalar(node.text()) : boost::json::value(node.text());
}

std::expected<std::vector<boost::json::value>, YamlError> ParseYaml(std::string_view text) {
  // Aliases are copied out, so what they expand to is bounded by the size of the text. YAML as it
  // is printed has more than sixteen bytes for each value.
  YamlReader reader(text, {.values = 1'000'000 + text.size() / 16,
                           .text_bytes = (std::size_t{16} << 20U) + 2 * text.size()});
  std::vector<boost::json::value> out;
  YamlTree document;
  try {
    while (true) {
      const std::expected<bool, YamlError> more = reader.Next(document);
      if (!more) return std::unexpected(more.error());
      if (!*more) return out;
      out.push_back(Convert(document.root()));
    }
  } catch (const YamlError& e) {
    return std::unexpected(e);
  }
}

}  // namespace

Result<std::vector<boost::json::value>> ParseDocuments(std::string_view text,
                                                       const std::string& file) {
  if (text.size() > kMaxManifestBytes) return Invalid(file + ": larger than 512 MB");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (const auto at = FindBinary(text))
    return std::unexpected(At(file, LineAt(text, *at), "binary data (no UTF-8 text)"));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::vector<boost::json::value>();
  const bool may_be_json = text[first] == '{' || text[first] == '[';
  std::optional<JsonError> no_json;
  if (may_be_json) {
    auto documents = ParseJson(text, LimitsOfJson(text.size()));
    if (documents) return std::move(*documents);
    no_json = std::move(documents.error());
    if (!no_json->is_syntax)
      return std::unexpected(At(file, LineAt(text, no_json->at), no_json->reason));
  }
  // It may still be YAML in flow style; where it is neither, the word of the reader that came
  // further is the better.
  const bool may_be_yaml = !may_be_json || !file.ends_with(".json");
  auto documents = may_be_yaml ? ParseYaml(text) : std::unexpected(YamlError());
  if (documents) return std::move(*documents);
  const YamlError& error = documents.error();
  if (!no_json) return std::unexpected(At(file, error.line, error.reason));
  const std::size_t line = LineAt(text, no_json->at);
  const std::size_t column = no_json->at - (text.substr(0, no_json->at).rfind('\n') + 1) + 1;
  const bool yaml_came_further = std::pair(error.line, error.column) > std::pair(line, column);
  return yaml_came_further ? std::unexpected(At(file, error.line, error.reason))
                           : std::unexpected(At(file, line, no_json->reason));
}

}  // namespace batholith
