#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/result.h"
#include "api/vocabulary.h"

namespace batholith {

// What the nodes of other shards are to a scheduler.
enum class Sharding : std::uint8_t {
  kNone,  // there are no shards
  kSoft,  // taken where no node of its own shard does
  kHard,  // not used
};

template <>
struct Vocabulary<Sharding> {
  static constexpr std::pair<std::string_view, Sharding> kWords[] = {
      {"none", Sharding::kNone}, {"soft", Sharding::kSoft}, {"hard", Sharding::kHard}};
};

// Which nodes of a cluster a scheduler uses.
struct NodeScope {
  std::vector<std::pair<std::string, std::string>> labels;  // any of them; empty: all nodes
  Sharding sharding = Sharding::kNone;
  std::string shard = "volcano";  // name of its NodeShard
  bool operator==(const NodeScope&) const = default;
};

// As the flags --node-selector (KEY:VALUE each), --scheduler-sharding-mode and
// --scheduler-sharding-name say it. Errors: what the flag's value must be.
Result<NodeScope> ReadNodeScope(const std::vector<std::string>& selectors, std::string_view mode,
                                const std::string& shard);
// The texts of --node-selector.
std::vector<std::string> SelectorTexts(const NodeScope& scope);

}  // namespace batholith
