#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "api/ids.h"
#include "framework/session_state.h"

namespace batholith {

// Up to kMost nodes and their columns as they stood when each was put in, resource by resource, so
// that a loop over nodes reads in step. Amounts are doubles, for these are compared and divided
// several at once: exact up to 2^53, and beyond that still in order.
class NodeBlock {
 public:
  static constexpr std::size_t kMost = 64;

  // Between what all amounts of a column lie, and have lain since the block was cleared.
  struct Bounds {
    double least = 0;
    double most = 0;
  };

  // `width`: dimensions of the schema.
  explicit NodeBlock(std::size_t width)
      : width_(width), amounts_(kColumns * width * kMost), bounds_(kColumns * width) {}

  // REQUIRES: size() < kMost.
  void Put(const SessionState& state, NodeIndex node);
  // Takes up what the i-th node has by now.
  void Renew(const SessionState& state, std::size_t i);
  void Clear() { size_ = 0; }
  std::size_t size() const { return size_; }

 private:
  friend class NodeRows;
  enum Column : std::size_t { kIdle, kFutureIdle, kUsed, kAllocatable, kShare, kColumns };

  void Set(Column column, std::size_t r, std::size_t i, double amount);
  const double* Of(Column column, std::size_t r) const {
    return amounts_.data() + (column * width_ + r) * kMost;
  }

  std::size_t width_;
  std::size_t size_ = 0;
  std::array<NodeIndex, kMost> nodes_;
  std::vector<double> amounts_;  // by column, by resource, kMost each
  std::vector<Bounds> bounds_;   // by column, by resource; none of an empty block
};

// Neighbours in a block, for reading. Columns are in base units, by r, a dimension of the schema.
class NodeRows {
 public:
  NodeRows(const NodeBlock& block, std::size_t begin, std::size_t end)
      : block_(&block), begin_(begin), size_(end - begin) {}

  std::size_t size() const { return size_; }
  std::span<const NodeIndex> nodes() const {
    return std::span(block_->nodes_).subspan(begin_, size_);
  }
  std::span<const double> idle(std::size_t r) const { return Of(NodeBlock::kIdle, r); }
  std::span<const double> future_idle(std::size_t r) const { return Of(NodeBlock::kFutureIdle, r); }
  std::span<const double> used(std::size_t r) const { return Of(NodeBlock::kUsed, r); }
  std::span<const double> allocatable(std::size_t r) const {
    return Of(NodeBlock::kAllocatable, r);
  }
  // used / allocatable, at most 1; says nothing where nothing is allocatable.
  std::span<const double> share(std::size_t r) const { return Of(NodeBlock::kShare, r); }
  // Of the whole block.
  NodeBlock::Bounds idle_bounds(std::size_t r) const { return Bounds(NodeBlock::kIdle, r); }
  NodeBlock::Bounds future_idle_bounds(std::size_t r) const {
    return Bounds(NodeBlock::kFutureIdle, r);
  }
  NodeBlock::Bounds used_bounds(std::size_t r) const { return Bounds(NodeBlock::kUsed, r); }
  NodeBlock::Bounds allocatable_bounds(std::size_t r) const {
    return Bounds(NodeBlock::kAllocatable, r);
  }

 private:
  std::span<const double> Of(NodeBlock::Column column, std::size_t r) const {
    return {block_->Of(column, r) + begin_, size_};
  }
  NodeBlock::Bounds Bounds(NodeBlock::Column column, std::size_t r) const {
    return block_->bounds_[column * block_->width_ + r];
  }

  const NodeBlock* block_;
  std::size_t begin_;
  std::size_t size_;
};

// All nodes, and those that were touched, oldest first, each with its columns of then: written down
// once, and read by every class in its own time. An entry is outdated by a later one of the same
// node. The latest are kept, about as many as there are nodes; whoever has read less looks at all
// nodes instead.
class TouchedRows {
 public:
  TouchedRows(const Snapshot& snapshot, const SessionState& state);

  // All nodes as they are now, in blocks.
  std::span<const NodeBlock> all() const { return all_; }
  // Takes up what was touched. Cost: O(dimensions) for each node.
  void Refresh();
  // Entries are numbered; this is the number of the next one.
  std::size_t end() const { return end_; }
  bool Keeps(std::size_t from) const { return from >= first_; }
  // From this one on, up to a few. REQUIRES: Keeps(from), from < end().
  NodeRows From(std::size_t from) const;
  bool IsLatest(std::size_t entry, NodeIndex node) const {
    return latest_[node.value()] == entry + 1;
  }

 private:
  const SessionState& state_;
  std::size_t width_;
  std::size_t most_blocks_;
  std::vector<NodeBlock> all_;
  std::vector<NodeBlock> blocks_;    // used in turn
  std::vector<std::size_t> latest_;  // by node: one more than the number of its latest entry
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::size_t cursor_ = 0;  // into the session's log of touched nodes
};

}  // namespace batholith
