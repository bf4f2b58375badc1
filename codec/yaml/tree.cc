#include "codec/yaml/tree.h"

namespace batholith {

YamlNode YamlTree::root() const { return {*this, 0}; }

YamlNode::YamlNode(const YamlTree& tree, std::uint32_t cell) : tree_(&tree), index_(cell) {
  if (tree.cells[cell].kind == YamlTree::Kind::kAlias) index_ = tree.cells[cell].begin;
}

bool YamlNode::is_null() const {
  if (cell().kind != YamlTree::Kind::kScalar || !is_plain()) return false;
  const std::string_view word = text();
  return word.empty() || word == "~" || word == "null" || word == "Null" || word == "NULL";
}

std::string_view YamlNode::text() const {
  return std::string_view(tree_->texts).substr(cell().begin, cell().size);
}

std::vector<YamlNode> YamlNode::Children() const {
  std::vector<YamlNode> out;
  for (std::uint32_t i = index_ + 1; i < cell().end; i = tree_->cells[i].end)
    out.emplace_back(*tree_, i);
  return out;
}

std::vector<YamlNode> YamlNode::Items() const { return Children(); }

std::vector<std::pair<YamlNode, YamlNode>> YamlNode::Entries() const {
  const std::vector<YamlNode> children = Children();
  std::vector<std::pair<YamlNode, YamlNode>> out;
  out.reserve(children.size() / 2);
  for (std::size_t i = 0; i + 1 < children.size(); i += 2)
    out.emplace_back(children[i], children[i + 1]);
  return out;
}

}  // namespace batholith
