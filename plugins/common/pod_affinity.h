#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/reason.h"
#include "plugins/common/pod_index.h"

namespace batholith {

// Required pod affinity and anti-affinity, the pod's own and that of pods which stand already.
// Holds the counts of one moment, for pods of one class.
class AffinityFilter {
 public:
  AffinityFilter() = default;
  // `with_leaving`: the pods that are leaving count as standing, else as gone.
  AffinityFilter(const PodIndex& index, ClassIndex c, bool with_leaving);
  Unfit Check(NodeIndex node) const;
  // passes[i] becomes 0 where Check refuses nodes[i].
  void Pass(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const;

  // Whether pods of the class are filtered at all.
  static bool Concerns(const PodIndex& index, ClassIndex c);

 private:
  struct Domains {
    std::uint32_t key = 0;
    std::vector<std::int64_t> pods;  // by domain
  };
  Domains Count(std::uint32_t key, const StandingCounts& pods) const;
  bool Blocked(std::span<const Domains> terms, NodeIndex node) const;

  const PodIndex* index_ = nullptr;
  bool with_leaving_ = true;
  std::vector<Domains> affinity_;
  std::vector<Domains> anti_;
  std::vector<Domains> existing_;
  bool first_of_its_kind_ = false;  // selects itself, and nobody that it selects stands anywhere
};

// Adds weight × (0 to 100) for preferred terms of the pod and for terms of standing pods towards
// it, normalised over `nodes`.
void AddAffinityScores(const PodIndex& index, ClassIndex c, std::span<const NodeIndex> nodes,
                       double weight, std::span<double> scores);
bool HasAffinityScore(const PodIndex& index, ClassIndex c);

}  // namespace batholith
