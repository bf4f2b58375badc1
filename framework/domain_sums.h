#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/session_state.h"
#include "topology/domain_tree.h"

namespace batholith {

// What the nodes of each domain have in all, kept up to date from the session's log of touched
// nodes: so a domain is judged without a look at its nodes. Refers to both. Exact as long as no
// node has more than INT64_MAX / 2 ÷ nodes of a resource, which counts as that much.
class DomainSums {
 public:
  DomainSums(const DomainTree& tree, const Snapshot& snapshot, const SessionState& state);

  // Takes up what moved. Cost: O(levels × dimensions) for each touched node.
  void Refresh();

  ResourceRow future_idle(DomainIndex d) const { return sums_[RowOf(d.value(), kFuture)]; }
  ResourceRow used(DomainIndex d) const { return sums_[RowOf(d.value(), kUsed)]; }
  ResourceRow allocatable(DomainIndex d) const { return sums_[RowOf(d.value(), kAllocatable)]; }
  // As it was when the session opened.
  ResourceRow future_idle_at_start(DomainIndex d) const { return sums_[RowOf(d.value(), kStart)]; }

 private:
  enum Column : std::size_t { kFuture, kUsed, kStart, kAllocatable, kColumns };
  static std::size_t RowOf(std::size_t i, Column column) { return i * kColumns + column; }
  ResourceVector Cut(const ResourceRow& row) const;
  void AddAround(NodeIndex node, Column column, const ResourceVector& amount);

  const DomainTree& tree_;
  const Snapshot& snapshot_;
  const SessionState& state_;
  std::int64_t most_;
  ResourceTable sums_;  // kColumns rows for each domain
  ResourceTable seen_;  // by node: future idle and used, as they are in the sums
  std::size_t cursor_ = 0;
};

}  // namespace batholith
