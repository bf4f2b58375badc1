#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace batholith {

// A value of a scheduler conf, with everything below it, which still knows its line. Scalars stay
// the text that was written, because what a text means depends on the argument that it is for.
struct ConfValue {
  std::string key;      // in a mapping; in a list its position, six digits
  std::string text;     // of a scalar, without quotes; empty for anything else
  bool quoted = false;  // false only for a scalar that was written plainly, or for nothing at all
  int line = 0;         // 1-based
  std::vector<ConfValue> children = {};  // sorted by key; empty for a scalar

  bool is_leaf() const { return children.empty(); }
  // Nothing was written behind the key.
  bool is_nothing() const { return is_leaf() && text.empty() && !quoted; }

  const ConfValue* Find(std::string_view name) const {
    const auto at = std::ranges::lower_bound(children, name, {}, &ConfValue::key);
    return at == children.end() || at->key != name ? nullptr : &*at;
  }
};

}  // namespace batholith
