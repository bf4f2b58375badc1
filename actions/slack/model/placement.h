#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actions/slack/model/spread.h"
#include "api/ids.h"
#include "api/resource_vector.h"

namespace batholith {

// A placeholder as placement sees it. Equal classes have equal sizes and constraints.
struct SlackItem {
  std::uint32_t item_class = 0;
  NodeIndex node;           // where it stood; none: nowhere
  bool expendable = false;  // has its turn, for staying too, when all others have a place or none
};

// What placement asks about the nodes. Free is asked once a node at most.
class SlackRoom {
 public:
  virtual ~SlackRoom() = default;
  // The nodes to try, first one first; asked only where a placeholder needs a place.
  virtual std::span<const NodeIndex> Order() = 0;
  // What real pods leave: idle, without what is reserved for pipelined ones.
  virtual ResourceVector Free(NodeIndex node) = 0;
  // Whether a placeholder of the class that stands there may stay, its size and its spread aside.
  virtual bool MayStay(std::uint32_t item_class, NodeIndex node) = 0;
  // Whether one may come there, the same aside. What it refuses it refuses for good.
  virtual bool MayCome(std::uint32_t item_class, NodeIndex node) = 0;
  // One stands there from now on: kept first, then those that come.
  virtual void OnPlaced(std::uint32_t item_class, NodeIndex node) = 0;
  // The hard topology spread of the class, kept up to date by placement; nullptr: it has none.
  virtual SlackSpread* Spread(std::uint32_t item_class) {
    (void)item_class;
    return nullptr;
  }
};

struct SlackPlacement {
  std::vector<NodeIndex> nodes;           // by item; none: no room
  std::vector<std::uint32_t> node_gone;   // items whose node may hold them no more
  std::vector<std::uint32_t> pushed_out;  // items that gave way to real pods
  std::vector<std::uint32_t> came;        // items that have a node they did not have
  std::int64_t evaluations = 0;           // questions whether an item fits a node
};

// Keeps each item where it stood while its node holds it; pushes out the last of the list first;
// then places the homeless in list order on the first node of `order` that has room, with one
// cursor per class that never goes back. A class with a topology spread has one cursor per lane,
// and goes by the open lane whose node comes first. So evaluations ≤ classes × nodes + items.
// `sizes` is by class.
SlackPlacement PlaceSlack(std::span<const SlackItem> items, std::span<const ResourceVector> sizes,
                          SlackRoom& room);

}  // namespace batholith
