#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "actions/autoscale/model/input.h"
#include "actions/autoscale/model/reason.h"

namespace batholith {

struct PodMove {
  std::size_t pod = 0;   // NodePod::id
  std::size_t node = 0;  // where it is thought to go
  bool operator==(const PodMove&) const = default;
};

// Empties nodes in thought, one after another: what moved stays moved, disruption budgets and gang
// members are spent, and an emptied node takes nothing any more. Real pods take no room of
// placeholders, and placeholders have to find room too. Cost of one drain: O(pods × nodes)
// comparisons, callbacks only where the resources fit.
class DrainSimulation {
 public:
  struct Outcome {
    KeepReason reason = KeepReason::kNone;  // kNone: the node can go
    bool risky = false;                     // some pods have to wait for their disruption budget
    std::vector<PodMove> moves;
  };

  // `destinations`: nodes that take pods, in the order in which they are tried. `input` and `conf`
  // must outlive the object.
  DrainSimulation(const AutoscaleInput& input, const ScaleDownConf& conf,
                  std::vector<std::size_t> destinations);

  // Keeps room for the pods of a node that is already going, and counts them as moved.
  void Reserve(std::size_t node);
  // Changes nothing where the node cannot go.
  Outcome TryDrain(std::size_t node);
  bool HasReceived(std::size_t node) const { return received_[node]; }

 private:
  struct Landing {
    std::size_t node = 0;
    ResourceVector request;
  };
  struct Spending {  // by one drain
    std::map<std::string, std::int64_t> pdbs;
    std::map<std::string, std::int64_t> gangs;
  };

  void Keep(const std::vector<Landing>& landings, const Spending& spending);
  Outcome Move(std::size_t node, std::vector<Landing>& landings, Spending& spending);
  KeepReason Judge(NodePod& pod, Spending& spending, bool& moves, bool& risky) const;
  template <typename Fits>
  std::size_t Land(const ResourceVector& request, std::vector<Landing>& landings, Fits fits);
  bool MovePlaceholders(std::size_t node, std::vector<Landing>& landings);

  const AutoscaleInput& input_;
  const ScaleDownConf& conf_;
  std::vector<std::size_t> destinations_;
  std::vector<ResourceVector> room_;  // without that of placeholders
  std::vector<bool> closed_;          // emptied, or being emptied
  std::vector<bool> received_;
  Spending spent_;
  std::set<std::pair<std::size_t, std::size_t>>
      lone_;  // (node, shape) of one_per_node placeholders
};

}  // namespace batholith
