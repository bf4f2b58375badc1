#include "actions/autoscale/model/node_room.h"

#include <algorithm>
#include <utility>

#include "actions/autoscale/model/estimator.h"

namespace batholith {
NodeRoom::NodeRoom(const AutoscaleInput& input, const std::vector<bool>& usable,
                   const std::vector<bool>& fresh)
    : input_(&input),
      usable_(&usable),
      fresh_(&fresh),
      all_cursors_(input.shapes.size()),
      empty_cursors_(input.shapes.size()) {
  room_.reserve(input.nodes.size());
  for (const AutoscaleNode& node : input.nodes) room_.push_back(node.free);
}

ResourceVector NodeRoom::RoomFor(std::size_t node, std::size_t shape) const {
  ResourceVector room = room_[node];
  if (!input_->shapes[shape].spares_slack) return room;
  for (const PlaceholderCount& held : input_->nodes[node].placeholders)
    room.AddTimes(input_->shapes[held.shape].request, -held.count);
  return room;
}

bool NodeRoom::Allows(std::size_t node, std::size_t shape) const {
  const std::vector<bool>& closed = input_->shapes[shape].closed;
  if (!closed.empty() && closed[node]) return false;
  if (input_->shape_fits(shape, node)) return true;
  const AutoscaleNode& on = input_->nodes[node];
  return (*fresh_)[node] && on.pods == 0 && on.group != AutoscaleNode::kNoGroup &&
         input_->shapes[shape].fits_group[on.group];
}

std::int64_t NodeRoom::PutOn(std::size_t node, std::size_t shape, std::int64_t count) {
  const DemandShape& what = input_->shapes[shape];
  const std::int64_t here = std::min(count, CountInRoom(what, RoomFor(node, shape)));
  if (here <= 0 || (what.one_per_node && lone_.contains({node, shape}))) return 0;
  if (!Allows(node, shape)) return 0;
  room_[node].AddTimes(what.request, -here);
  if (what.one_per_node) lone_.insert({node, shape});
  journal_.push_back({node, shape, here});
  return here;
}

std::int64_t NodeRoom::Place(std::size_t shape, std::int64_t count, Which which) {
  std::size_t& cursor = Cursors(which)[shape];
  const ResourceVector& request = input_->shapes[shape].request;
  std::int64_t placed = 0;
  while (cursor < room_.size()) {
    // The room first: most nodes are full, and nothing else is looked at there.
    const bool looked_at = request.FitsIn(room_[cursor]) && (*usable_)[cursor] &&
                           (which == Which::kAll || input_->nodes[cursor].pods == 0);
    if (looked_at) placed += PutOn(cursor, shape, count - placed);
    if (placed == count) break;
    ++cursor;
  }
  return placed;
}

void NodeRoom::UndoTo(std::size_t mark) {
  std::size_t first = room_.size();
  while (journal_.size() > mark) {
    const Entry& entry = journal_.back();
    room_[entry.node].AddTimes(input_->shapes[entry.shape].request, entry.count);
    lone_.erase({entry.node, entry.shape});
    first = std::min(first, entry.node);
    journal_.pop_back();
  }
  for (std::size_t& cursor : all_cursors_) cursor = std::min(cursor, first);
  for (std::size_t& cursor : empty_cursors_) cursor = std::min(cursor, first);
}

void NodeRoom::TakePlaceholders() {
  for (std::size_t n = 0; n < room_.size(); ++n) {
    for (const PlaceholderCount& held : input_->nodes[n].placeholders) {
      room_[n].AddTimes(input_->shapes[held.shape].request, -held.count);
      if (input_->shapes[held.shape].one_per_node) lone_.insert({n, held.shape});
    }
  }
}

std::vector<bool> NodeRoom::Landings() const {
  std::vector<bool> out(room_.size());
  for (const Entry& entry : journal_) out[entry.node] = true;
  return out;
}

}  // namespace batholith
