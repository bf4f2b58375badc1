#include "codec/yaml/reader.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "codec/yaml/tree_builder.h"

namespace batholith {
namespace {

// libyaml looks through all directives for each tag, and copies the prefix for each.
constexpr std::size_t kMaxTagDirectiveBytes = 1024;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::size_t LineAt(std::string_view text, std::size_t at) {
  return static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n')) + 1;
}

std::string_view TextOf(const unsigned char* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

std::string_view TextOf(const yaml_event_t& scalar) {
  return {reinterpret_cast<const char*>(scalar.data.scalar.value), scalar.data.scalar.length};
}

// Where the %TAG directives of a text become too many; a line of a text that looks like one counts.
std::optional<std::size_t> FindTooManyTagDirectives(std::string_view text) {
  constexpr std::string_view kDirective = "%TAG";
  std::size_t bytes = 0;
  for (std::size_t at = text.find(kDirective); at != std::string_view::npos;
       at = text.find(kDirective, at + 1)) {
    if (at != 0 && text[at - 1] != '\n' && text[at - 1] != '\r') continue;
    bytes += std::min(text.find_first_of("\r\n", at), text.size()) - at;
    if (bytes > kMaxTagDirectiveBytes) return at;
  }
  return std::nullopt;
}

// Where the mark that ends a document stands, at `from` or behind it; the end of the text where
// there is none. Nothing in a document may look like it.
std::size_t FindEndMark(std::string_view text, std::size_t from) {
  constexpr std::string_view kMark = "...";
  for (std::size_t at = text.find(kMark, from); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    const std::size_t behind = at + kMark.size();
    const bool begins_line = at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
    if (begins_line && (behind == text.size() || IsBlank(text[behind]))) return at;
  }
  return text.size();
}

// One run of libyaml over a part of a text, and its event, which is freed before the next one.
class Parser {
 public:
  Parser(std::string_view text, std::size_t lines_before)
      : text_(text), lines_before_(lines_before) {
    works_ = yaml_parser_initialize(&parser_) != 0;
    if (!works_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() {
    FreeEvent();
    if (works_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Whether there is an event now; where there is none, Trouble says why.
  bool Step() {
    FreeEvent();
    has_event_ = works_ && yaml_parser_parse(&parser_, &event_) != 0;
    return has_event_;
  }
  const yaml_event_t& event() const { return event_; }
  std::size_t line() const { return LineOf(event_.start_mark); }
  YamlError Trouble() const;

 private:
  std::size_t LineOf(const yaml_mark_t& mark) const { return lines_before_ + mark.line + 1; }
  void FreeEvent() {
    if (std::exchange(has_event_, false)) yaml_event_delete(&event_);
  }

  std::string_view text_;
  std::size_t lines_before_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool works_ = false;
  bool has_event_ = false;
};

YamlError Parser::Trouble() const {
  if (!works_ || parser_.error == YAML_MEMORY_ERROR) return {1, "there is not a memory left"};
  const std::string problem = parser_.problem == nullptr ? "is not YAML" : parser_.problem;
  if (parser_.error == YAML_READER_ERROR) {
    const std::size_t line = lines_before_ + LineAt(text_, parser_.problem_offset);
    if (!problem.starts_with("control")) return {line, "binary data (no UTF-8 text)"};
    return {line, fmt::format("has the control character U+{:04X}", parser_.problem_value)};
  }
  const std::size_t line = LineOf(parser_.problem_mark);
  const std::size_t column = parser_.problem_mark.column + 1;
  if (parser_.context == nullptr) return {line, problem, column};
  const std::size_t began = LineOf(parser_.context_mark);
  const std::string from = began == line ? "" : fmt::format(" from line {} on", began);
  return {line, fmt::format("{} ({}{})", problem, parser_.context, from), column};
}

YamlTreeBuilder::Complaint Build(const Parser& parser, YamlTreeBuilder& builder) {
  const yaml_event_t& event = parser.event();
  switch (event.type) {
    case YAML_SCALAR_EVENT: {
      const auto& scalar = event.data.scalar;
      const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nullptr;
      return builder.Scalar(TextOf(event), plain, parser.line(), TextOf(scalar.anchor));
    }
    case YAML_ALIAS_EVENT:
      return builder.Alias(TextOf(event.data.alias.anchor), parser.line());
    case YAML_SEQUENCE_START_EVENT:
      return builder.Open(YamlTree::Kind::kList, parser.line(),
                          TextOf(event.data.sequence_start.anchor));
    case YAML_MAPPING_START_EVENT:
      return builder.Open(YamlTree::Kind::kMapping, parser.line(),
                          TextOf(event.data.mapping_start.anchor));
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      builder.Close();
      return std::nullopt;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
      return std::nullopt;
  }
  return "is not YAML";
}

}  // namespace

// The text in the parts that end marks make of it: libyaml wants a mark that begins a document
// behind one that ends it, and the standard does not.
class YamlReader::State {
 public:
  State(std::string_view text, const YamlLimits& limits) : text_(text), builder_(limits) {}

  std::expected<bool, YamlError> Next(YamlTree& out) {
    if (at_ == 0 && !parser_) {
      if (const auto at = FindTooManyTagDirectives(text_))
        return Fail(
            {LineAt(text_, *at), fmt::format("more than {} bytes of %TAG", kMaxTagDirectiveBytes)});
    }
    builder_.Begin(out);
    while (parser_ || at_ < text_.size()) {
      if (!parser_) StartPart();
      if (!parser_->Step()) return Fail(parser_->Trouble());
      if (YamlTreeBuilder::Complaint complaint = Build(*parser_, builder_))
        return Fail({parser_->line(), *std::move(complaint)});
      if (parser_->event().type == YAML_DOCUMENT_END_EVENT) return true;
      if (parser_->event().type == YAML_STREAM_END_EVENT) parser_.reset();
    }
    return false;
  }

 private:
  void StartPart() {
    const std::size_t end = FindEndMark(text_, at_);
    const std::string_view part = text_.substr(at_, end - at_);
    parser_.emplace(part, lines_);
    lines_ += static_cast<std::size_t>(std::ranges::count(part, '\n'));
    at_ = std::min(end + 3, text_.size());
  }

  std::unexpected<YamlError> Fail(YamlError error) {
    parser_.reset();
    at_ = text_.size();
    return std::unexpected(std::move(error));
  }

  std::string_view text_;
  std::size_t at_ = 0;     // where the next part begins
  std::size_t lines_ = 0;  // before it
  YamlTreeBuilder builder_;
  std::optional<Parser> parser_;
};

YamlReader::YamlReader(std::string_view text, const YamlLimits& limits)
    : state_(std::make_unique<State>(text, limits)) {}

YamlReader::~YamlReader() = default;

std::expected<bool, YamlError> YamlReader::Next(YamlTree& out) { return state_->Next(out); }

}  // namespace batholith
