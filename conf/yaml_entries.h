#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"
#include "codec/yaml/tree.h"

namespace batholith {

inline int LineOf(const YamlNode& node) { return static_cast<int>(node.line()); }

// An error of a conf: `file:line: ` and what it is.
std::unexpected<Error> ConfError(const std::string& file, int line, const std::string& what);

// One key of a mapping with its value.
struct YamlEntry {
  std::string key;
  YamlNode value;
  int line = 0;  // of the key
};

// The entries of a mapping in the order of the file; `what` names it in errors. Errors: no mapping,
// a key that is no text, a key that stands twice.
Result<std::vector<YamlEntry>> EntriesOf(const YamlNode& node, const std::string& what,
                                         const std::string& file);

// The same; any other key than these is an error too.
Result<std::vector<YamlEntry>> EntriesOf(const YamlNode& node, const std::string& what,
                                         const std::string& file,
                                         std::span<const std::string_view> keys);

}  // namespace batholith
