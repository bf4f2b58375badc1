#include "codec/yaml.h"

#include <yaml-cpp/yaml.h>

#include <boost/json.hpp>
#include <charconv>

namespace batholith {
namespace {

constexpr std::size_t kMaxBytes = 512U << 20U;
constexpr std::size_t kMaxDepth = 100;
constexpr std::size_t kMaxNodes = 10'000'000;

// Size, bytes and nesting, without any library: 100 MB of "[" would exhaust yaml-cpp's memory.
Result<void> Scan(std::string_view text, const std::string& file) {
  if (text.size() > kMaxBytes) return Invalid(file + ": larger than 512 MB");
  std::size_t depth = 0;
  std::size_t line = 1;
  char quote = 0;
  bool line_start = true;
  std::size_t dashes = 0;
  std::size_t indent = 0;
  std::size_t levels = 0;
  std::size_t last_indent = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') return Invalid(file + ": line " + std::to_string(line) + ": binary data");
    if (c == '\n') {
      ++line;
      line_start = true;
      dashes = 0;
      indent = 0;
      continue;
    }
    if (line_start) {
      if (c == ' ') {
        ++indent;
        continue;
      }
      if (c == '-' && i + 1 < text.size() && text[i + 1] == ' ') {
        if (++dashes > kMaxDepth)
          return Invalid(file + ": line " + std::to_string(line) + ": nested too deep");
        ++indent;
        continue;
      }
      line_start = false;
      if (indent > last_indent) ++levels;
      if (indent == 0) levels = 0;
      last_indent = indent;
      if (levels > 4 * kMaxDepth && indent > 4 * kMaxDepth) {
        return Invalid(file + ": line " + std::to_string(line) + ": nested too deep");
      }
    }
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"') quote = c;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > kMaxDepth)
      return Invalid(file + ": line " + std::to_string(line) + ": nested deeper than 100");
  }
  return {};
}

bool ValidUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t n = c < 0x80                ? 1
                          : c >= 0xf0 && c < 0xf5 ? 4
                          : c >= 0xe0             ? 3
                          : c >= 0xc2             ? 2
                                                  : 0;
    if (n == 0 || c >= 0xf5 || i + n > text.size()) return false;
    for (std::size_t k = 1; k < n; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0U) != 0x80U) return false;
    }
    i += n;
  }
  return true;
}

boost::json::value PlainScalar(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
    return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool canonical = error == std::errc() && end == text.data() + text.size() &&
                         (text == "0" || (text[0] != '0' && text != "-0"));
  if (canonical) return value;
  return boost::json::value(boost::json::string(text));
}

class Converter {
 public:
  boost::json::value Convert(const YAML::Node& node, std::size_t depth) {
    if (depth > kMaxDepth) throw YAML::Exception(node.Mark(), "nested deeper than 100");
    if (++count_ > kMaxNodes)
      throw YAML::Exception(node.Mark(), "aliases expand to too many values");
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return nullptr;
      case YAML::NodeType::Scalar:
        return node.Tag() == "!" ? boost::json::value(boost::json::string(node.Scalar()))
                                 : PlainScalar(node.Scalar());
      case YAML::NodeType::Sequence: {
        boost::json::array out;
        for (const YAML::Node& child : node) out.push_back(Convert(child, depth + 1));
        return out;
      }
      case YAML::NodeType::Map: {
        boost::json::object out;
        for (const auto& entry : node) {
          if (!entry.first.IsScalar())
            throw YAML::Exception(entry.first.Mark(), "a key must be a plain text");
          const bool added =
              out.emplace(entry.first.Scalar(), Convert(entry.second, depth + 1)).second;
          if (!added)
            throw YAML::Exception(entry.first.Mark(),
                                  "key " + entry.first.Scalar() + " stands twice");
        }
        return out;
      }
    }
    return nullptr;
  }

 private:
  std::size_t count_ = 0;
};

// One JSON text, or several one after another. Numbers that are no 64-bit integers become texts.
Result<std::vector<boost::json::value>> ParseJson(std::string_view text, const std::string& file) {
  std::vector<boost::json::value> out;
  boost::json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::json::stream_parser parser({}, options);
  std::size_t at = 0;
  while (true) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return out;
    boost::system::error_code error;
    at += parser.write_some(text.data() + at, text.size() - at, error);
    if (!error && !parser.done()) parser.finish(error);
    if (error) {
      const auto line =
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
      return Invalid(file + ": line " + std::to_string(line) + ": no JSON: " + error.message());
    }
    out.push_back(parser.release());
    parser.reset();
  }
}

}  // namespace

Result<std::vector<boost::json::value>> ParseDocuments(std::string_view text,
                                                       const std::string& file) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (Result<void> ok = Scan(text, file); !ok) return std::unexpected(ok.error());
  if (!ValidUtf8(text)) return Invalid(file + ": binary data (no UTF-8 text)");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::vector<boost::json::value>();
  if (text[first] == '{' || text[first] == '[') {
    Result<std::vector<boost::json::value>> json = ParseJson(text, file);
    if (json) return json;  // else it may still be YAML in flow style
  }
  try {
    std::vector<boost::json::value> out;
    for (const YAML::Node& document : YAML::LoadAll(std::string(text))) {
      boost::json::value value = Converter().Convert(document, 0);
      if (!value.is_null()) out.push_back(std::move(value));
    }
    return out;
  } catch (const YAML::Exception& e) {
    return Invalid(file + ": line " + std::to_string(e.mark.line + 1) + ": " + e.msg);
  }
}

}  // namespace batholith
