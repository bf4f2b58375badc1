#include "framework/node_rows.h"

#include <algorithm>

#include "api/check.h"

namespace batholith {

void NodeBlock::Put(Column column, std::size_t r, double amount) {
  const std::size_t at = column * width_ + r;
  amounts_[at * kMost + size_] = amount;
  Bounds& bounds = bounds_[at];
  bounds.least = size_ == 0 ? amount : std::min(bounds.least, amount);
  bounds.most = size_ == 0 ? amount : std::max(bounds.most, amount);
}

void NodeBlock::Put(const SessionState& state, NodeIndex node) {
  DCHECK(size_ < kMost);
  const ResourceRow idle = state.idle(node);
  const ResourceRow future_idle = state.future_idle(node);
  for (std::size_t r = 0; r < width_; ++r) {
    const auto used = static_cast<double>(state.used(node)[r]);
    const auto allocatable = static_cast<double>(state.allocatable(node)[r]);
    Put(kIdle, r, static_cast<double>(idle[r]));
    Put(kFutureIdle, r, static_cast<double>(future_idle[r]));
    Put(kUsed, r, used);
    Put(kAllocatable, r, allocatable);
    Put(kShare, r, allocatable > 0 ? std::min(used / allocatable, 1.0) : 0);
  }
  nodes_[size_++] = node;
}

TouchedRows::TouchedRows(const Snapshot& snapshot, const SessionState& state)
    : state_(state),
      width_(snapshot.schema.size()),
      most_blocks_(snapshot.nodes.size() / NodeBlock::kMost + 2),
      latest_(snapshot.nodes.size()),
      cursor_(state.touched().size()) {}

// Who was touched several times since has one entry, for its columns are those of now.
void TouchedRows::Refresh() {
  const std::span<const NodeIndex> touched = state_.touched();
  const std::size_t start = end_;
  for (; cursor_ < touched.size(); ++cursor_) {
    const NodeIndex node = touched[cursor_];
    if (latest_[node.value()] > start) continue;
    const std::size_t block = end_ / NodeBlock::kMost % most_blocks_;
    if (end_ % NodeBlock::kMost == 0) {
      if (block == blocks_.size()) {
        blocks_.emplace_back(width_);
      } else {
        blocks_[block].Clear();
        first_ += NodeBlock::kMost;
      }
    }
    blocks_[block].Put(state_, node);
    latest_[node.value()] = ++end_;
  }
}

NodeRows TouchedRows::From(std::size_t from) const {
  const NodeBlock& block = blocks_[from / NodeBlock::kMost % most_blocks_];
  const std::size_t begin = from % NodeBlock::kMost;
  return {block, begin, std::min(block.size(), begin + end_ - from)};
}

}  // namespace batholith
