#include "slack/placement.h"

#include <algorithm>
#include <optional>
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
    Keep();
    if (std::ranges::any_of(out_.nodes, &NodeIndex::is_none)) order_ = room_.Order();
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      if (out_.nodes[i].is_none()) Place(i);
    }
    std::ranges::sort(out_.pushed_out);
    return std::move(out_);
  }

 private:
  struct Known {
    ResourceVector free;
    bool known = false;
  };

  ResourceVector& FreeOf(NodeIndex node) {
    if (free_.size() <= node.value()) free_.resize(node.value() + 1);
    Known& known = free_[node.value()];
    if (!known.known) known = {room_.Free(node), true};
    return known.free;
  }

  void Keep() {
    std::vector<std::pair<NodeIndex, std::uint32_t>> standing;
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
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
    for (std::size_t k = 0; k < kept; ++k) {
      const std::uint32_t i = standing[k].second;
      out_.nodes[i] = node;
      room_.OnPlaced(items_[i].item_class, node);
    }
  }

  void Place(std::uint32_t i) {
    const std::uint32_t c = items_[i].item_class;
    for (std::size_t& at = cursors_[c]; at < order_.size(); ++at) {
      ++out_.evaluations;
      const NodeIndex node = order_[at];
      if (!sizes_[c].FitsIn(FreeOf(node)) || !room_.MayCome(c, node)) continue;
      FreeOf(node) -= sizes_[c];
      out_.nodes[i] = node;
      out_.came.push_back(i);
      room_.OnPlaced(c, node);
      return;
    }
  }

  std::span<const SlackItem> items_;
  std::span<const ResourceVector> sizes_;
  std::span<const NodeIndex> order_;
  SlackRoom& room_;
  std::vector<std::size_t> cursors_;
  std::vector<Known> free_;
  SlackPlacement out_;
};

}  // namespace

SlackPlacement PlaceSlack(std::span<const SlackItem> items, std::span<const ResourceVector> sizes,
                          SlackRoom& room) {
  return Placing(items, sizes, room).Run();
}

}  // namespace batholith
