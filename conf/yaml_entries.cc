#include "conf/yaml_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/did_you_mean.h"

namespace batholith {

std::unexpected<Error> ConfError(const std::string& file, int line, const std::string& what) {
  return Invalid(fmt::format("{}:{}: {}", file, line, what));
}

Result<std::vector<YamlEntry>> EntriesOf(const YamlNode& node, const std::string& what,
                                         const std::string& file) {
  if (!node.is_mapping()) return ConfError(file, LineOf(node), what + " must be a mapping");
  std::vector<YamlEntry> entries;
  std::set<std::string> seen;
  for (const auto& [key, value] : node.Entries()) {
    const int line = LineOf(key);
    if (!key.is_scalar()) return ConfError(file, line, what + " has a key that is not plain text");
    entries.push_back({.key = std::string(key.text()), .value = value, .line = line});
    if (!seen.insert(entries.back().key).second) {
      return ConfError(file, line,
                       fmt::format("{} has the key `{}` twice", what, Shown(entries.back().key)));
    }
  }
  return entries;
}

Result<std::vector<YamlEntry>> EntriesOf(const YamlNode& node, const std::string& what,
                                         const std::string& file,
                                         std::span<const std::string_view> keys) {
  Result<std::vector<YamlEntry>> entries = EntriesOf(node, what, file);
  if (!entries) return entries;
  for (const YamlEntry& entry : *entries) {
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    return ConfError(file, entry.line,
                     fmt::format("{} has the unknown key `{}`{}", what, Shown(entry.key),
                                 DidYouMean(entry.key, keys)));
  }
  return entries;
}

}  // namespace batholith
