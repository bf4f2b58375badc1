#include "conf/ignored.h"

#include <fmt/format.h>

#include <vector>

#include "api/did_you_mean.h"
#include "api/value_text.h"

namespace batholith {

Result<void> ReadIgnored(const YamlEntry& entry, const std::string& file,
                         PlacementNeedSet& ignored) {
  std::vector<std::pair<std::string, int>> names;
  if (entry.value.is_null()) return {};
  if (entry.value.is_scalar()) {
    for (std::string& name : SplitList(entry.value.text()))
      names.emplace_back(std::move(name), LineOf(entry.value));
  } else if (entry.value.is_list()) {
    for (const YamlNode& item : entry.value.Items()) {
      if (!item.is_scalar())
        return ConfError(file, LineOf(item), "`ignore` must be a list of names");
      names.emplace_back(item.text(), LineOf(item));
    }
  } else {
    return ConfError(file, entry.line, "`ignore` must be a list of names");
  }
  for (const auto& [name, line] : names) {
    const std::optional<PlacementNeed> need = FromWord<PlacementNeed>(name);
    if (!need)
      return ConfError(file, line,
                       fmt::format("`ignore` names \"{}\", which is unknown{}", Shown(name),
                                   DidYouMean(name, kWordsOf<PlacementNeed>)));
    ignored.Add(*need);
  }
  return {};
}

}  // namespace batholith
