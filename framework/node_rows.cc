#include "framework/node_rows.h"

#include <algorithm>

#include "api/check.h"

namespace batholith {

void NodeBlock::Set(Column column, std::size_t r, std::size_t i, double amount) {
  const std::size_t at = column * width_ + r;
  amounts_[at * kMost + i] = amount;
  Bounds& bounds = bounds_[at];
  const bool first = size_ == 0;
  bounds.least = first ? amount : std::min(bounds.least, amount);
  bounds.most = first ? amount : std::max(bounds.most, amount);
}

void NodeBlock::Put(const SessionState& state, NodeIndex node) {
  DCHECK(size_ < kMost);
  nodes_[size_] = node;
  Renew(state, size_);
  ++size_;
}

void NodeBlock::Renew(const SessionState& state, std::size_t i) {
  const NodeIndex node = nodes_[i];
  const ResourceRow idle = state.idle(node);
  const ResourceRow future_idle = state.future_idle(node);
  for (std::size_t r = 0; r < width_; ++r) {
    const auto used = static_cast<double>(state.used(node)[r]);
    const auto allocatable = static_cast<double>(state.allocatable(node)[r]);
    Set(kIdle, r, i, static_cast<double>(idle[r]));
    Set(kFutureIdle, r, i, static_cast<double>(future_idle[r]));
    Set(kUsed, r, i, used);
    Set(kAllocatable, r, i, allocatable);
    Set(kShare, r, i, allocatable > 0 ? std::min(used / allocatable, 1.0) : 0);
  }
}

TouchedRows::TouchedRows(const Snapshot& snapshot, const SessionState& state)
    : state_(state),
      width_(snapshot.schema.size()),
      most_blocks_(snapshot.nodes.size() / NodeBlock::kMost + 2),
      latest_(snapshot.nodes.size()),
      cursor_(state.touched().size()) {
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    if (n % NodeBlock::kMost == 0) all_.emplace_back(width_);
    all_.back().Put(state, NodeIndex(n));
  }
}

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
    all_[node.value() / NodeBlock::kMost].Renew(state_, node.value() % NodeBlock::kMost);
  }
}

NodeRows TouchedRows::From(std::size_t from) const {
  const NodeBlock& block = blocks_[from / NodeBlock::kMost % most_blocks_];
  const std::size_t begin = from % NodeBlock::kMost;
  return {block, begin, std::min(block.size(), begin + end_ - from)};
}

}  // namespace batholith
