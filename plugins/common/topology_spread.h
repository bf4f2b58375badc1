#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "api/hard_spread.h"
#include "api/reason.h"
#include "plugins/common/pod_index.h"

namespace batholith {

// Where the spread constraints of one class look, of one kind (hard or soft). Facts only, so it
// holds for the whole session.
struct SpreadScope {
  struct Part {
    PodIndex::Spread spread;
    std::vector<bool> counts;            // nodes whose pods count, by NodeIndex
    std::vector<std::uint32_t> domains;  // those with such a node
    bool by_host = false;                // each node is a domain of its own
  };
  std::vector<Part> parts;
  std::vector<bool> labelled;  // nodes that have all the topology labels, by NodeIndex

  SpreadScope(const Snapshot& snapshot, const PodIndex& index, ClassIndex c, bool hard);
};

// DoNotSchedule constraints. Holds the counts of one moment, for pods of one class.
class SpreadFilter {
 public:
  SpreadFilter() = default;
  SpreadFilter(const PodIndex& index, const SpreadScope& scope);
  Unfit Check(NodeIndex node) const;
  // passes[i] becomes 0 where Check refuses nodes[i].
  void Pass(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const;

 private:
  struct Part {
    std::uint32_t key = 0;
    std::int64_t allowed = 0;        // most pods that a domain may have before this one comes
    std::vector<std::int64_t> pods;  // by domain
  };
  const PodIndex* index_ = nullptr;
  std::vector<Part> parts_;
};

// Adds weight × (0 to 100) for ScheduleAnyway constraints, normalised over `nodes`.
void AddSpreadScores(const PodIndex& index, const SpreadScope& scope,
                     std::span<const NodeIndex> nodes, double weight, std::span<double> scores);

// What SpreadFilter goes by, for whoever counts on.
void AppendHardSpread(const PodIndex& index, const SpreadScope& scope,
                      std::vector<HardSpread>& out);

bool HasSpread(const PodIndex& index, ClassIndex c, bool hard);

}  // namespace batholith
