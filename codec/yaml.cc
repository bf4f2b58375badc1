#include "codec/yaml.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <istream>
#include <optional>
#include <streambuf>
#include <utility>

#include "api/utf8.h"
#include "codec/json.h"

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

// A run of more opening marks ("[ [ {", "- - -") than any document may be deep, before a library
// spends memory on each. What nests with text in between is counted by the converter, behind
// yaml-cpp's own guard.
std::optional<std::size_t> FindDeepRun(std::string_view text) {
  std::size_t run = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const bool item = (c == '-' || c == '?') && i + 1 < text.size() && text[i + 1] == ' ';
    run = c == '[' || c == '{' || item ? run + 1 : 0;
    if (run > kMaxManifestDepth) return i;
  }
  return std::nullopt;
}

// A line that opens more flow collections than it closes: yaml-cpp would read it to its end before
// its guard speaks. An opening mark inside a word is text.
std::optional<std::size_t> FindDeepLine(std::string_view text) {
  std::size_t depth = 0;
  char before = '\n';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\t' || c == '\r') continue;
    const bool starts = std::string_view("\n[{,:-?").contains(before);
    before = c;
    if (c == '\n') depth = 0;
    if (starts && (c == '"' || c == '\'')) {  // to the closing quote, or the end of the line
      i = std::min(text.find_first_of(c == '"' ? "\"\n" : "'\n", i + 1), text.size()) - 1;
      if (i + 1 < text.size() && text[i + 1] == c) ++i;
      continue;
    }
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if ((c == '[' || c == '{') && starts) ++depth;
    if (depth > kMaxManifestDepth) return i;
  }
  return std::nullopt;
}

boost::json::value PlainScalar(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
    return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool canonical =
      error == std::errc() && end == text.data() + text.size() && std::to_string(value) == text;
  if (canonical) return value;
  return boost::json::value(boost::json::string(text));
}

// Turns the nodes of one file into values. Aliases are copied out, so what they expand to is
// bounded by the size of the text.
class Converter {
 public:
  explicit Converter(std::size_t text_bytes)
      : values_left_(1'000'000 + text_bytes), bytes_left_((64U << 20U) + 2 * text_bytes) {}

  boost::json::value Convert(const YAML::Node& node, std::size_t depth) {
    if (depth > kMaxManifestDepth) throw YAML::Exception(node.Mark(), "nested deeper than 100");
    Spend(node, 0);
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return nullptr;
      case YAML::NodeType::Scalar:
        return Scalar(node);
      case YAML::NodeType::Sequence: {
        boost::json::array out;
        for (const YAML::Node& child : node) out.push_back(Convert(child, depth + 1));
        return out;
      }
      case YAML::NodeType::Map:
        return Map(node, depth);
    }
    return nullptr;
  }

 private:
  void Spend(const YAML::Node& node, std::size_t bytes) {
    if (values_left_ == 0 || bytes > bytes_left_)
      throw YAML::Exception(node.Mark(), "aliases expand to too much");
    --values_left_;
    bytes_left_ -= bytes;
  }

  boost::json::value Scalar(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    Spend(node, text.size());
    if (node.Tag() == "?" || node.Tag().empty()) return PlainScalar(text);
    return boost::json::value(boost::json::string(text));  // quoted, or tagged as something else
  }

  boost::json::object Map(const YAML::Node& node, std::size_t depth) {
    boost::json::object out;
    std::vector<YAML::Node> merged;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar())
        throw YAML::Exception(entry.first.Mark(), "a key must be a plain text");
      const std::string& key = entry.first.Scalar();
      Spend(entry.first, key.size());
      if (key == "<<" && entry.first.Tag() == "?") {
        merged.push_back(entry.second);
      } else if (!out.emplace(key, Convert(entry.second, depth + 1)).second) {
        throw YAML::Exception(entry.first.Mark(), "key " + key.substr(0, 100) + " stands twice");
      }
    }
    for (const YAML::Node& source : merged) Merge(source, depth, out);
    return out;
  }

  // YAML's "<<": the keys of other mappings where there is none of one's own, as kubectl reads it.
  void Merge(const YAML::Node& source, std::size_t depth, boost::json::object& out) {
    if (depth > kMaxManifestDepth) throw YAML::Exception(source.Mark(), "nested deeper than 100");
    if (source.IsSequence()) {
      for (const YAML::Node& one : source) Merge(one, depth + 1, out);
      return;
    }
    if (!source.IsMap()) throw YAML::Exception(source.Mark(), "<< must name a mapping");
    const boost::json::object more = Map(source, depth + 1);
    for (const auto& entry : more) out.emplace(entry.key(), entry.value());
  }

  std::size_t values_left_;
  std::size_t bytes_left_;
};

// The text without a copy of it, and after it the mark that ends a document: yaml-cpp takes the end
// of the file for a closing quote, but not that mark.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text)
      : end_(text.empty() || text.ends_with('\n') ? "...\n" : "\n...\n") {
    Offer(text);
  }

 protected:
  int_type underflow() override {
    if (gptr() == egptr()) Offer(std::exchange(end_, {}));
    return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

 private:
  // Nothing writes through these pointers.
  void Offer(std::string_view part) {
    char* const begin = const_cast<char*>(part.data());
    setg(begin, begin, begin + part.size());
  }

  std::string_view end_;
};

Result<std::vector<boost::json::value>> ParseYaml(std::string_view text, const std::string& file) {
  if (const auto at = FindDeepLine(text))
    return std::unexpected(At(file, LineAt(text, *at), "nested deeper than 100"));
  try {
    std::vector<boost::json::value> out;
    Converter converter(text.size());
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    for (const YAML::Node& document : YAML::LoadAll(stream))
      out.push_back(converter.Convert(document, 0));
    return out;
  } catch (const YAML::DeepRecursion& e) {
    return std::unexpected(
        At(file, static_cast<std::size_t>(e.mark.line) + 1, "nested deeper than 100"));
  } catch (const YAML::Exception& e) {
    return std::unexpected(At(file, static_cast<std::size_t>(std::max(e.mark.line, 0)) + 1, e.msg));
  } catch (const std::exception& e) {
    return Invalid(file + ": no YAML: " + e.what());
  }
}

}  // namespace

Result<std::vector<boost::json::value>> ParseDocuments(std::string_view text,
                                                       const std::string& file) {
  if (text.size() > kMaxManifestBytes) return Invalid(file + ": larger than 512 MB");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (const auto at = FindBinary(text))
    return std::unexpected(At(file, LineAt(text, *at), "binary data (no UTF-8 text)"));
  if (const auto at = FindDeepRun(text))
    return std::unexpected(At(file, LineAt(text, *at), "nested deeper than 100"));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::vector<boost::json::value>();
  if (text[first] != '{' && text[first] != '[') return ParseYaml(text, file);
  auto documents = ParseJson(text);
  if (documents) return std::move(*documents);
  const JsonError& error = documents.error();
  // It may still be YAML in flow style; where it is neither, the JSON reader's word is the better.
  if (!file.ends_with(".json")) {
    Result<std::vector<boost::json::value>> yaml = ParseYaml(text, file);
    if (yaml) return yaml;
  }
  return std::unexpected(At(file, LineAt(text, error.at), error.reason));
}

}  // namespace batholith
