#include "api/node_scope.h"

#include <optional>

#include "api/did_you_mean.h"
#include "api/value_text.h"

namespace batholith {

Result<NodeScope> ReadNodeScope(const std::vector<std::string>& selectors, std::string_view mode,
                                const std::string& shard) {
  NodeScope out;
  for (const std::string& text : selectors) {
    for (const std::string& pair : SplitList(text)) {
      const std::size_t colon = pair.find(':');
      if (colon == std::string::npos || colon == 0)
        return Invalid("--node-selector " + Shown(pair) + ": must be KEY:VALUE");
      out.labels.emplace_back(pair.substr(0, colon), pair.substr(colon + 1));
    }
  }
  const std::optional<Sharding> sharding = FromWord<Sharding>(mode);
  if (!sharding)
    return Invalid("--scheduler-sharding-mode " + Shown(mode) + ": must be none, soft or hard" +
                   DidYouMean(mode, kWordsOf<Sharding>));
  out.sharding = *sharding;
  if (!shard.empty()) out.shard = shard;
  return out;
}

std::vector<std::string> SelectorTexts(const NodeScope& scope) {
  std::vector<std::string> out;
  for (const auto& [key, value] : scope.labels) out.push_back(key + ":" + value);
  return out;
}

}  // namespace batholith
