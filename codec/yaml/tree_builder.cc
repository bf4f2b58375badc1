#include "codec/yaml/tree_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace batholith {
namespace {

constexpr std::size_t kMaxAnchors = 100'000;
constexpr std::size_t kMaxMappingKeys = 100'000;
constexpr std::size_t kMaxKeyBytes = 1024;  // as YAML limits those without a question mark

std::string TooDeep() { return fmt::format("nested deeper than {} levels", kMaxYamlDepth); }

// A foreign name as a message may hold it.
std::string_view Short(std::string_view name) { return name.substr(0, 100); }

}  // namespace

void YamlTreeBuilder::Begin(YamlTree& out) {
  out.cells.clear();
  out.texts.clear();
  tree_ = &out;
  open_.clear();
  anchors_.clear();
}

YamlTreeBuilder::Complaint YamlTreeBuilder::Scalar(std::string_view text, bool plain,
                                                   std::size_t line, std::string_view anchor) {
  if (IsKey() && text.size() > kMaxKeyBytes)
    return fmt::format("a key is longer than {} bytes", kMaxKeyBytes);
  if (IsKey() && open_.back().children / 2 >= kMaxMappingKeys)
    return fmt::format("a mapping has more than {} keys", kMaxMappingKeys);
  if (Complaint spent = Spend(1, text.size())) return spent;
  const std::uint32_t cell = Put(YamlTree::Kind::kScalar, line);
  tree_->cells[cell].begin = static_cast<std::uint32_t>(tree_->texts.size());
  tree_->cells[cell].size = static_cast<std::uint32_t>(text.size());
  tree_->cells[cell].plain = plain;
  tree_->texts += text;
  const Extent extent{.cell = cell, .text_bytes = text.size()};
  Count(extent);
  return Name(anchor, extent, false);
}

YamlTreeBuilder::Complaint YamlTreeBuilder::Alias(std::string_view anchor, std::size_t line) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end())
    return fmt::format("alias *{}: there is no such anchor before it", Short(anchor));
  if (found->second.is_open)
    return fmt::format("alias *{}: stands inside of what it names", Short(anchor));
  const Extent& named = found->second.extent;
  if (open_.size() + named.height > kMaxYamlDepth) return TooDeep();
  if (Complaint spent = Spend(named.values, named.text_bytes))
    return fmt::format("alias *{}: aliases expand to too much: {}", Short(anchor), *spent);
  const std::uint32_t cell = Put(YamlTree::Kind::kAlias, line);
  tree_->cells[cell].begin = named.cell;
  Count(named);
  return std::nullopt;
}

YamlTreeBuilder::Complaint YamlTreeBuilder::Open(YamlTree::Kind kind, std::size_t line,
                                                 std::string_view anchor) {
  if (open_.size() >= kMaxYamlDepth) return TooDeep();
  if (Complaint spent = Spend(1, 0)) return spent;
  const Extent extent{.cell = Put(kind, line)};
  open_.push_back({.extent = extent, .anchor = std::string(anchor)});
  return Name(anchor, extent, true);
}

void YamlTreeBuilder::Close() {
  Level level = std::move(open_.back());
  open_.pop_back();
  ++level.extent.height;
  tree_->cells[level.extent.cell].end = static_cast<std::uint32_t>(tree_->cells.size());
  // An anchor of the same name inside of it is the later one, and stays.
  const auto named = anchors_.find(level.anchor);
  if (named != anchors_.end() && named->second.extent.cell == level.extent.cell)
    named->second = {level.extent, false};
  Count(level.extent);
}

bool YamlTreeBuilder::IsKey() const {
  return !open_.empty() && open_.back().children % 2 == 0 &&
         tree_->cells[open_.back().extent.cell].kind == YamlTree::Kind::kMapping;
}

YamlTreeBuilder::Complaint YamlTreeBuilder::Spend(std::size_t values, std::size_t text_bytes) {
  if (values > left_.values) return fmt::format("more than {} values", limits_.values);
  if (text_bytes > left_.text_bytes)
    return fmt::format("more than {} bytes of text", limits_.text_bytes);
  left_.values -= values;
  left_.text_bytes -= text_bytes;
  return std::nullopt;
}

YamlTreeBuilder::Complaint YamlTreeBuilder::Name(std::string_view anchor, const Extent& extent,
                                                 bool is_open) {
  if (anchor.empty()) return std::nullopt;
  anchors_.insert_or_assign(std::string(anchor), Anchor{extent, is_open});
  if (anchors_.size() > kMaxAnchors) return fmt::format("more than {} anchors", kMaxAnchors);
  return std::nullopt;
}

std::uint32_t YamlTreeBuilder::Put(YamlTree::Kind kind, std::size_t line) {
  const auto cell = static_cast<std::uint32_t>(tree_->cells.size());
  tree_->cells.push_back({.line = static_cast<std::uint32_t>(line), .end = cell + 1, .kind = kind});
  return cell;
}

// What came is part of the list or mapping that is open.
void YamlTreeBuilder::Count(const Extent& extent) {
  if (open_.empty()) return;
  Level& level = open_.back();
  ++level.children;
  level.extent.values += extent.values;
  level.extent.text_bytes += extent.text_bytes;
  level.extent.height = std::max(level.extent.height, extent.height);
}

}  // namespace batholith
