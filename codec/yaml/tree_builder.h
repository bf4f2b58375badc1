#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/yaml/reader.h"
#include "codec/yaml/tree.h"

namespace batholith {

// Builds a tree of what a parser tells, and counts what it expands to: an alias costs what the node
// costs that it names, without being walked. Each call says what is wrong, or nothing. A budget of
// its own for the whole text; Begin starts with the next document.
class YamlTreeBuilder {
 public:
  using Complaint = std::optional<std::string>;

  explicit YamlTreeBuilder(const YamlLimits& limits) : limits_(limits), left_(limits) {}

  void Begin(YamlTree& out);
  Complaint Scalar(std::string_view text, bool plain, std::size_t line, std::string_view anchor);
  Complaint Alias(std::string_view anchor, std::size_t line);
  // A list or a mapping, until Close.
  Complaint Open(YamlTree::Kind kind, std::size_t line, std::string_view anchor);
  void Close();

 private:
  // What a node is, everything in it included and every alias written out.
  struct Extent {
    std::uint32_t cell = 0;
    std::size_t values = 1;
    std::size_t text_bytes = 0;
    std::size_t height = 0;  // levels of lists and mappings
  };
  struct Anchor {
    Extent extent;
    bool is_open = false;
  };
  struct Level {
    Extent extent;
    std::size_t children = 0;
    std::string anchor;
  };

  bool IsKey() const;
  Complaint Spend(std::size_t values, std::size_t text_bytes);
  Complaint Name(std::string_view anchor, const Extent& extent, bool is_open);
  std::uint32_t Put(YamlTree::Kind kind, std::size_t line);
  void Count(const Extent& extent);

  YamlLimits limits_;
  YamlLimits left_;
  YamlTree* tree_ = nullptr;
  std::vector<Level> open_;
  std::map<std::string, Anchor, std::less<>> anchors_;
};

}  // namespace batholith
