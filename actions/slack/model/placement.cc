#include "actions/slack/model/placement.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

namespace batholith {
namespace {

class Placing {
 public:
  Placing(std::span<const SlackItem> items, std::span<const ResourceVector> sizes, SlackRoom& room)
      : items_(items), sizes_(sizes), room_(room), cursors_(sizes.size(), 0) {
    out_.nodes.resize(items.size());
  }

  SlackPlacement Run() {
    for (const bool expendable : {false, true}) {
      turn_.clear();
      for (std::uint32_t i = 0; i < items_.size(); ++i) {
        if (items_[i].expendable == expendable) turn_.push_back(i);
      }
      Keep();
      for (const std::uint32_t i : turn_) {
        if (!out_.nodes[i].is_none()) continue;
        if (order_.empty()) order_ = room_.Order();
        Place(i);
      }
    }
    std::ranges::sort(out_.pushed_out);
    std::ranges::sort(out_.node_gone);
    return std::move(out_);
  }

 private:
  struct Known {
    ResourceVector free;
    bool known = false;
  };
  // The nodes of a class with a topology spread, as positions in order_.
  struct Lanes {
    using Head = std::pair<std::size_t, std::uint32_t>;  // next position of a lane, and the lane
    std::vector<std::vector<std::size_t>> nodes;
    std::vector<std::size_t> at;  // by lane
    std::set<Head> open;          // may be closed, too: asked when its turn comes
    std::vector<Head> closed;
  };

  ResourceVector& FreeOf(NodeIndex node) {
    if (free_.size() <= node.value()) free_.resize(node.value() + 1);
    Known& known = free_[node.value()];
    if (!known.known) known = {room_.Free(node), true};
    return known.free;
  }

  void Keep() {
    std::vector<std::pair<NodeIndex, std::uint32_t>> standing;
    for (const std::uint32_t i : turn_) {
      const SlackItem& item = items_[i];
      if (item.node.is_none()) continue;
      if (room_.MayStay(item.item_class, item.node)) {
        standing.emplace_back(item.node, i);
      } else {
        out_.node_gone.push_back(i);
      }
    }
    std::ranges::sort(standing);
    for (std::size_t begin = 0; begin < standing.size();) {
      std::size_t end = begin;
      while (end < standing.size() && standing[end].first == standing[begin].first) ++end;
      KeepOn(std::span(standing).subspan(begin, end - begin));
      begin = end;
    }
    LevelKept();
    for (const std::uint32_t i : turn_) {
      if (!out_.nodes[i].is_none()) room_.OnPlaced(items_[i].item_class, out_.nodes[i]);
    }
  }

  // Those of one node, in list order.
  void KeepOn(std::span<const std::pair<NodeIndex, std::uint32_t>> standing) {
    const NodeIndex node = standing.front().first;
    ResourceVector held;
    for (const auto& [n, i] : standing) held += sizes_[items_[i].item_class];
    ResourceVector& free = FreeOf(node);
    std::size_t kept = standing.size();
    while (kept > 0 && !held.FitsIn(free)) {
      const std::uint32_t i = standing[--kept].second;
      held -= sizes_[items_[i].item_class];
      out_.pushed_out.push_back(i);
    }
    free -= held;
    for (std::size_t k = 0; k < kept; ++k) out_.nodes[standing[k].second] = node;
  }

  // Of those that stand in too full a domain the last ones go: no pod could take their place.
  void LevelKept() {
    for (const std::uint32_t i : turn_) {
      SlackSpread* spread = SpreadOf(i);
      if (spread == nullptr || out_.nodes[i].is_none()) continue;
      const std::uint32_t lane = spread->LaneOf(out_.nodes[i]);
      if (lane != SlackSpread::kNoLane) spread->Add(lane);
    }
    bool again = true;
    while (std::exchange(again, false)) {
      for (const std::uint32_t i : std::views::reverse(turn_)) {
        SlackSpread* spread = SpreadOf(i);
        if (spread == nullptr || out_.nodes[i].is_none()) continue;
        const std::uint32_t lane = spread->LaneOf(out_.nodes[i]);
        if (lane != SlackSpread::kNoLane && spread->IsLevel(lane)) continue;
        if (lane != SlackSpread::kNoLane) spread->Remove(lane);
        FreeOf(out_.nodes[i]) += sizes_[items_[i].item_class];
        out_.nodes[i] = NodeIndex();
        out_.node_gone.push_back(i);
        again = true;
      }
    }
  }

  SlackSpread* SpreadOf(std::uint32_t i) { return room_.Spread(items_[i].item_class); }

  bool TryOn(std::uint32_t i, NodeIndex node) {
    const std::uint32_t c = items_[i].item_class;
    ++out_.evaluations;
    if (!sizes_[c].FitsIn(FreeOf(node)) || !room_.MayCome(c, node)) return false;
    FreeOf(node) -= sizes_[c];
    out_.nodes[i] = node;
    out_.came.push_back(i);
    room_.OnPlaced(c, node);
    return true;
  }

  void Place(std::uint32_t i) {
    if (SlackSpread* spread = SpreadOf(i)) return PlaceByLane(i, *spread);
    for (std::size_t& at = cursors_[items_[i].item_class]; at < order_.size(); ++at) {
      if (TryOn(i, order_[at])) return;
    }
  }

  void PlaceByLane(std::uint32_t i, SlackSpread& spread) {
    Lanes& lanes = LanesOf(items_[i].item_class, spread);
    while (!lanes.open.empty()) {
      const auto [position, lane] = *lanes.open.begin();
      const bool open = spread.IsOpen(lane);
      if (open && TryOn(i, order_[position])) {
        if (spread.Add(lane)) {
          lanes.open.insert(lanes.closed.begin(), lanes.closed.end());
          lanes.closed.clear();
        }
        return;
      }
      lanes.open.erase(lanes.open.begin());
      if (!open) {
        lanes.closed.emplace_back(position, lane);
      } else if (++lanes.at[lane] < lanes.nodes[lane].size()) {
        lanes.open.emplace(lanes.nodes[lane][lanes.at[lane]], lane);
      }
    }
  }

  Lanes& LanesOf(std::uint32_t item_class, const SlackSpread& spread) {
    const auto [it, fresh] = lanes_.try_emplace(item_class);
    Lanes& lanes = it->second;
    if (!fresh) return lanes;
    for (std::size_t position = 0; position < order_.size(); ++position) {
      const std::uint32_t lane = spread.LaneOf(order_[position]);
      if (lane == SlackSpread::kNoLane) continue;
      if (lanes.nodes.size() <= lane) lanes.nodes.resize(lane + 1);
      lanes.nodes[lane].push_back(position);
    }
    lanes.at.assign(lanes.nodes.size(), 0);
    for (std::uint32_t lane = 0; lane < lanes.nodes.size(); ++lane) {
      if (!lanes.nodes[lane].empty()) lanes.open.emplace(lanes.nodes[lane].front(), lane);
    }
    return lanes;
  }

  std::span<const SlackItem> items_;
  std::span<const ResourceVector> sizes_;
  std::vector<std::uint32_t> turn_;  // the items whose turn it is, in list order
  std::span<const NodeIndex> order_;
  SlackRoom& room_;
  std::vector<std::size_t> cursors_;      // by class without a spread
  std::map<std::uint32_t, Lanes> lanes_;  // by class with one
  std::vector<Known> free_;
  SlackPlacement out_;
};

}  // namespace

SlackPlacement PlaceSlack(std::span<const SlackItem> items, std::span<const ResourceVector> sizes,
                          SlackRoom& room) {
  return Placing(items, sizes, room).Run();
}

}  // namespace batholith
