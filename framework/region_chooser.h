#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/node_chooser.h"
#include "framework/node_verdict.h"

namespace batholith {

// Some nodes of the cluster. Equal ids: equal nodes, as long as the session.
struct Region {
  std::uint32_t id = 0;
  std::span<const NodeIndex> nodes;
};

// What a choice counts beside the scores of plugins.
class NodeBonus {
 public:
  // Adds to scores[i] of nodes[i]: those where the task may have a place.
  virtual void Add(std::span<const NodeIndex> nodes, std::span<double> scores) = 0;

 protected:
  ~NodeBonus() = default;
};

// As NodeChooser, of the nodes of a region only. What the nodes of the last region said is kept for
// each class of tasks, so that a placement costs a look at those that were touched since, and O(1)
// for each node of the region. Lives for one action.
class RegionChooser {
 public:
  RegionChooser(Session& session, Fit fit);
  ~RegionChooser();
  RegionChooser(const RegionChooser&) = delete;
  RegionChooser& operator=(const RegionChooser&) = delete;

  NodeChoice Best(TaskIndex task, const Region& region, NodeBonus* bonus);

 private:
  struct ClassState;

  ClassState& StateOf(TaskIndex task);
  void Refresh(ClassState& c, TaskIndex task, const Region& region);
  void CollectStale(ClassState& c, const Region& region);
  void JudgeStale(ClassState& c, TaskIndex task, const Region& region);
  // nodes_ and scores_: those of the region with a place, or with that place, and their scores.
  void Gather(const ClassState& c, const Region& region, std::optional<Place> place,
              NodeBonus* bonus);

  Session& session_;
  Fit fit_;
  std::vector<std::unique_ptr<ClassState>> classes_;
  std::uint32_t placed_region_ = UINT32_MAX;  // that place_of_ is of
  std::vector<std::uint32_t> place_of_;       // by node: its place in that region, plus one
  std::vector<NodeIndex> placed_nodes_;       // who has a place there
  std::vector<std::size_t> stale_;            // scratch: places in the region
  std::vector<NodeIndex> nodes_;              // scratch
  std::vector<double> scores_;                // scratch
};

}  // namespace batholith
