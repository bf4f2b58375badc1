#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/objects.h"

namespace batholith {

// Finds things by their names or labels, at a cost that is limited over its life. Refers to the
// names.
class NameFinder {
 public:
  // Places of what was found, ascending; nothing: it is too much to look up, or, of a pattern, the
  // text is none.
  using Found = std::optional<std::vector<std::size_t>>;

  NameFinder(std::vector<std::string_view> names, std::size_t& looks_left);

  std::optional<std::size_t> Named(std::string_view name) const;
  // Those that the pattern is found in. Cost: those between the first and the last that may match.
  Found Matching(const std::string& pattern);

 private:
  std::size_t& looks_left_;
  std::vector<std::pair<std::string_view, std::size_t>> sorted_;
  std::unordered_map<std::string_view, std::size_t> places_;  // looked up only
};

// The same of nodes by their labels.
class LabelFinder {
 public:
  LabelFinder(std::span<const NodeRecord* const> nodes, std::size_t& looks_left)
      : nodes_(nodes), looks_left_(looks_left) {}

  // Cost: nodes of the rarest value that the selector lists; without any, all nodes.
  NameFinder::Found Matching(const LabelSelector& selector);

 private:
  using Values = std::unordered_map<std::string_view, std::vector<std::size_t>>;
  const Values* ValuesOf(const std::string& key);
  bool Take(std::size_t looks);

  std::span<const NodeRecord* const> nodes_;
  std::size_t& looks_left_;
  std::map<std::string, Values, std::less<>> by_key_;
};

}  // namespace batholith
