#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "actions/autoscale/model/input.h"

namespace batholith {

// Room on nodes that exist, and what demand is thought to take of it; can be taken back in the
// order of a stack. Cost: Place looks at each node once for each shape, as long as nothing is
// undone.
class NodeRoom {
 public:
  enum class Which : std::uint8_t { kAll, kEmpty };  // kEmpty: nodes without pods only

  // By node, `usable`: pods can be placed there; `fresh`: it came lately, so while it is empty it
  // counts as what its group's template says, startup taints or not. All must outlive the object.
  NodeRoom(const AutoscaleInput& input, const std::vector<bool>& usable,
           const std::vector<bool>& fresh);

  // Puts up to `count` of a shape on nodes in their order; the number that found room.
  std::int64_t Place(std::size_t shape, std::int64_t count, Which which);
  std::size_t Mark() const { return journal_.size(); }
  void UndoTo(std::size_t mark);
  // From now on placeholders take the room that they have.
  void TakePlaceholders();
  // Nodes that something was put on.
  std::vector<bool> Landings() const;

 private:
  struct Entry {
    std::size_t node = 0;
    std::size_t shape = 0;
    std::int64_t count = 0;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<std::size_t>& Cursors(Which which) {
    return which == Which::kAll ? all_cursors_ : empty_cursors_;
  }
  // Before placeholders take theirs.
  ResourceVector RoomFor(std::size_t node, std::size_t shape) const;
  bool Allows(std::size_t node, std::size_t shape) const;
  std::int64_t PutOn(std::size_t node, std::size_t shape, std::int64_t count);

  const AutoscaleInput* input_;
  const std::vector<bool>* usable_;
  const std::vector<bool>* fresh_;
  std::vector<ResourceVector> room_;
  std::vector<Entry> journal_;
  std::set<std::pair<std::size_t, std::size_t>> lone_;  // (node, shape) of one_per_node shapes
  // By shape: no node before it has room.
  std::vector<std::size_t> all_cursors_;
  std::vector<std::size_t> empty_cursors_;
};

}  // namespace batholith
