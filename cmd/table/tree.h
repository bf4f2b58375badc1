#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace batholith {

struct NamedParent {
  std::string name;
  std::string parent;  // empty: none
};

// One line of a drawn tree.
struct TreeLine {
  static constexpr std::size_t kTop = static_cast<std::size_t>(-1);
  std::size_t index = 0;      // of whom it is about
  std::size_t parent = kTop;  // the line of its parent, before this one
  std::string branch;         // what stands before the name: "│  └─ "
  bool inner = false;         // somebody is below it
};

// Whether anybody has a parent among the others.
bool IsTree(std::span<const NamedParent> all);

// Each below its parent, and beside each other in the order given. Whoever has no parent that is
// listed stands at the top, but where one named `root` is listed, those without a parent are below
// it; a cycle of parents is cut at its first. Branches of more than 20 levels grow no wider. Cost:
// O(n log n).
std::vector<TreeLine> DrawTree(std::span<const NamedParent> all);

}  // namespace batholith
