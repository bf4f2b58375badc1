#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/class_ranking.h"
#include "framework/node_rows.h"
#include "framework/session.h"

namespace batholith {

// What counts as room.
enum class Fit : std::uint8_t {
  kResources,
  kSlotOnly,  // for backfill: a free slot is enough
  kFuture,    // for preempt and reclaim, which only reserve: room that is being released is as
              // good as idle room, and nominations do not count
};

// Whether a node has a place for tasks of one class. Refers to the session.
class NodeVerdict {
 public:
  struct Asked {
    std::size_t resource = 0;
    std::int64_t amount = 0;
  };

  NodeVerdict(const Session& session, TaskIndex task, Fit fit);

  // `checks`: of the class, as the session stands now; `leaving_matter`: what they say of that.
  Place Of(const NodeChecks& checks, bool leaving_matter, NodeIndex node) const;
  // As far as room tells, where nobody holds room back: places[i] of the i-th row.
  // REQUIRES: exact_in_doubles().
  void OfRows(const NodeRows& rows, std::span<Place> places) const;
  // What the class asks for.
  std::span<const Asked> asked() const { return asked_; }
  // Comparing these amounts as doubles, with whatever a node has, says the same.
  bool exact_in_doubles() const { return exact_in_doubles_; }
  // What placeholders hold is no room for it.
  bool guarded() const { return guarded_; }

 private:
  bool FitsIn(const ResourceRow& room, const ResourceVector* held) const;

  const Session& session_;
  Fit fit_;
  bool guarded_;
  bool exact_in_doubles_ = true;
  std::vector<Asked> asked_;
};

// Tells, once for each task, where it could have gone: the scores of nodes that have a place.
void TracePlacement(Session& session, TaskIndex task, std::span<const NodeIndex> nodes,
                    std::span<const double> scores);

}  // namespace batholith
