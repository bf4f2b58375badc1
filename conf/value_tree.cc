#include "conf/value_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/did_you_mean.h"
#include "conf/yaml_entries.h"

namespace batholith {
namespace {

class TreeReader {
 public:
  explicit TreeReader(const std::string& file) : file_(file) {}

  // `what` names the mapping in errors; `path` is where it is among the arguments, empty at the
  // top.
  Result<void> AddEntries(const YamlNode& node, const std::string& what, const std::string& path,
                          ConfValue& into) {
    const Result<std::vector<YamlEntry>> entries = EntriesOf(node, what, file_);
    if (!entries) return std::unexpected(entries.error());
    for (const YamlEntry& entry : *entries) {
      if (const auto added = Add(entry.key, entry.value, entry.line, path, into); !added)
        return added;
    }
    std::ranges::sort(into.children, {}, &ConfValue::key);
    return {};
  }

 private:
  Result<void> Add(const std::string& key, const YamlNode& node, int line, const std::string& above,
                   ConfValue& into) {
    ConfValue value{.key = key, .text = "", .quoted = !node.is_plain(), .line = line};
    const std::string path = above.empty() ? key : above + "/" + key;
    if (node.is_mapping() && node.has_children()) {
      const std::string what = "argument \"" + Shown(path) + "\"";
      if (const auto added = AddEntries(node, what, path, value); !added) return added;
    } else if (node.is_list()) {
      for (const YamlNode& item : node.Items()) {
        const std::string position = fmt::format("{:06}", value.children.size());
        if (const auto added = Add(position, item, LineOf(item), path, value); !added) return added;
      }
    } else if (node.is_scalar()) {
      value.text = node.text();
    }
    into.children.push_back(std::move(value));
    return {};
  }

  const std::string& file_;
};

}  // namespace

Result<ConfValue> ReadArguments(const YamlNode& node, const std::string& owner,
                                const std::string& file) {
  ConfValue arguments{.key = "", .text = "", .line = LineOf(node)};
  if (node.is_null()) return arguments;
  const auto added = TreeReader(file).AddEntries(node, "`arguments` of " + owner, "", arguments);
  if (!added) return std::unexpected(added.error());
  return arguments;
}

}  // namespace batholith
