#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "codec/yaml/tree.h"

namespace batholith {

inline constexpr std::size_t kMaxYamlDepth = 100;

// What a text may come to, each alias counted with all that it stands for.
struct YamlLimits {
  std::size_t values = 0;
  std::size_t text_bytes = 0;
};

struct YamlError {
  std::size_t line = 1;
  std::string reason;
  std::size_t column = 1;
};

// Reads a YAML text document by document, in time and memory bounded by its size: every limit is
// checked while the parser tells what comes, before anything of it is built. Does not own the text.
//
// Errors, after which there is no more to read: no YAML; bytes that are no UTF-8, control
// characters; deeper than 100; a key longer than 1,024 bytes; more than the limits allow; more than
// 100,000 anchors or keys of one mapping, or 1 KB of %TAG directives; an alias of nothing, or of
// what it stands in.
class YamlReader {
 public:
  // REQUIRES: less than 4 GB of text.
  YamlReader(std::string_view text, const YamlLimits& limits);
  ~YamlReader();
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  // The next document, into `out`; false at the end. An empty document is a null.
  std::expected<bool, YamlError> Next(YamlTree& out);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace batholith
