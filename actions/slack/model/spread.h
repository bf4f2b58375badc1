#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "api/hard_spread.h"
#include "api/ids.h"

namespace batholith {

// The hard topology spread of one class of placeholders, which count as the pods do that they keep
// room for. Nodes in the same domains of each constraint form a lane: a lane is open or closed as a
// whole, so nobody has to ask its nodes. One owner.
class SlackSpread {
 public:
  static constexpr std::uint32_t kNoLane = 0xffffffffU;

  // REQUIRES: at least one constraint; all speak of the same nodes.
  explicit SlackSpread(std::vector<HardSpread> constraints);

  // kNoLane: it lacks a topology label, so none may stand there.
  std::uint32_t LaneOf(NodeIndex node) const { return lane_of_[node.value()]; }
  // Whether one more may come to the lane.
  bool IsOpen(std::uint32_t lane) const;
  // Whether one that stands there would still be let in, all others standing.
  bool IsLevel(std::uint32_t lane) const;
  // One more stands there. True: the least number rose, so closed lanes may be open now.
  bool Add(std::uint32_t lane);
  void Remove(std::uint32_t lane);
  // Whether the constraint lets no more come to its domain.
  bool IsClosed(std::size_t constraint, std::uint32_t domain) const;
  const std::vector<HardSpread>& constraints() const { return constraints_; }

 private:
  struct Level {
    std::vector<bool> among;                       // by domain
    std::map<std::int64_t, std::size_t> by_count;  // number of pods → domains of `among`
    std::int64_t Least(const HardSpread& constraint) const;
  };

  bool Change(std::uint32_t lane, std::int64_t by);

  std::vector<HardSpread> constraints_;
  std::vector<Level> levels_;                        // by constraint
  std::vector<std::uint32_t> lane_of_;               // by node
  std::vector<std::vector<std::uint32_t>> domains_;  // by lane, then by constraint
};

}  // namespace batholith
