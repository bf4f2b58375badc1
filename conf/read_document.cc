#include "conf/read_document.h"

#include <fmt/format.h>

#include <expected>
#include <utility>

#include "codec/yaml/reader.h"

namespace batholith {
namespace {

// Aliases make a small file a huge tree; no conf that means something comes near.
constexpr YamlLimits kLimits{.values = 20'000, .text_bytes = 2 * kMaxConfBytes};

}  // namespace

Result<YamlTree> ReadConfDocument(std::string_view text, const std::string& file) {
  if (text.size() > kMaxConfBytes) {
    return Invalid(fmt::format("{}:1: a conf of {} bytes is too large, at most {}", file,
                               text.size(), kMaxConfBytes));
  }
  if (text.contains('\0')) return Invalid(fmt::format("{}:1: is not a text file", file));
  YamlReader reader(text, kLimits);
  YamlTree found;
  YamlTree document;
  while (true) {
    const std::expected<bool, YamlError> more = reader.Next(document);
    if (!more)
      return Invalid(fmt::format("{}:{}: {}", file, more.error().line, more.error().reason));
    if (!*more) break;
    if (document.root().is_null()) continue;
    if (!found.empty()) {
      return Invalid(
          fmt::format("{}:{}: a conf is one YAML document", file, document.root().line()));
    }
    std::swap(found, document);
  }
  if (found.empty()) return Invalid(fmt::format("{}:1: the conf is empty", file));
  return found;
}

}  // namespace batholith
