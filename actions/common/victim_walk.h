#pragma once

#include <cstdint>
#include <vector>

#include "actions/common/victim_order.h"

namespace batholith {

// One way through the victims of a queue, in an order that must not be refreshed meanwhile. Of what
// has fallen only the part in front of each job is left out. Whatever is tried out on the session
// must be undone before the next step. Cost of a step: O(log(victims seen)).
class VictimWalk {
 public:
  // `with_spared`: jobs of which nobody can fall are passed too.
  VictimWalk(VictimOrder& order, QueueIndex queue, bool with_spared);

  const VictimOrder::Victim* Next();  // nullptr: no more
  // Whether the last one is the first of its job.
  bool EntersJob() const { return last_.rank != nullptr; }
  // No more of the job of the last one.
  void SkipJob() { last_.next = last_.end; }
  // No victim that is still to come is of a job of lower priority; nor is the last one.
  std::int32_t LeastPriorityLeft() const { return least_left_; }

 private:
  struct Head {
    const VictimOrder::Lane* lane = nullptr;
    std::size_t next = 0;
  };
  struct Reached {  // a victim that may be the next one
    const VictimOrder::Victim* victim = nullptr;
    const VictimOrder::Victim* next = nullptr;  // those of the job behind it
    const VictimOrder::Victim* end = nullptr;
    VictimOrder::Rank* rank = nullptr;  // of the first victim of a job; else nullptr
    std::size_t slot = 0;               // of the job in the rank's heap
  };

  bool FallsAfter(const Head& a, const Head& b) const;
  static bool ComesAfter(const Reached& a, const Reached& b);
  void Push(const Reached& reached);
  void Reach(VictimOrder::Rank& rank, std::size_t slot);
  void Leave();
  void TakeRank();
  JobIndex TakeHead();

  VictimOrder& order_;
  const Session& session_;
  std::vector<Head> heads_;       // a heap, first to fall on top
  std::vector<Reached> reached_;  // a heap, first to fall on top: of the ranks that are equal now
  Reached last_;
  std::int32_t least_left_ = INT32_MIN;
};

}  // namespace batholith
