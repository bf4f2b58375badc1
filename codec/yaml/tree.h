#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace batholith {

class YamlNode;

// One document of a YAML text. Its nodes stand in the order of the text, each before what is in it,
// in two flat arrays: a node costs 20 bytes and its text. An alias is a node that names another
// one, so that a tree is never larger than its text.
struct YamlTree {
  enum class Kind : std::uint8_t { kScalar, kList, kMapping, kAlias };

  struct Cell {
    std::uint32_t line = 1;
    std::uint32_t end = 0;    // the first cell behind this node and all that is in it
    std::uint32_t begin = 0;  // of a scalar's text; the cell that an alias names
    std::uint32_t size = 0;   // of a scalar's text, in bytes
    Kind kind = Kind::kScalar;
    bool plain = false;
  };

  bool empty() const { return cells.empty(); }
  YamlNode root() const;  // REQUIRES: not empty

  std::vector<Cell> cells;
  std::string texts;
};

// A node of a tree, which must outlive it. Aliases are followed: nobody who reads sees one, so what
// a tree expands to may be far larger than the tree (YamlLimits bounds it).
class YamlNode {
 public:
  // REQUIRES: the tree has the cell.
  YamlNode(const YamlTree& tree, std::uint32_t cell);

  bool is_scalar() const { return cell().kind == YamlTree::Kind::kScalar && !is_null(); }
  bool is_list() const { return cell().kind == YamlTree::Kind::kList; }
  bool is_mapping() const { return cell().kind == YamlTree::Kind::kMapping; }
  bool is_null() const;  // nothing, or the plain word null
  // A scalar without quotes and without a tag; of any other the author wanted a text.
  bool is_plain() const { return cell().plain; }
  std::size_t line() const { return cell().line; }
  std::string_view text() const;  // of a scalar; valid while the tree is

  bool has_children() const { return index_ + 1 < cell().end; }
  std::vector<YamlNode> Items() const;                         // REQUIRES: a list
  std::vector<std::pair<YamlNode, YamlNode>> Entries() const;  // REQUIRES: a mapping

 private:
  const YamlTree::Cell& cell() const { return tree_->cells[index_]; }
  std::vector<YamlNode> Children() const;

  const YamlTree* tree_;
  std::uint32_t index_;
};

}  // namespace batholith
