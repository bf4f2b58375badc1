#include "framework/domain_sums.h"

#include <algorithm>

namespace batholith {

DomainSums::DomainSums(const DomainTree& tree, const Snapshot& snapshot, const SessionState& state)
    : tree_(tree),
      snapshot_(snapshot),
      state_(state),
      most_(INT64_MAX / 2 / static_cast<std::int64_t>(snapshot.nodes.size() + 1)),
      sums_(tree.size() * kColumns, snapshot.schema.size()),
      seen_(snapshot.nodes.size() * 2, snapshot.schema.size()),
      cursor_(state.touched().size()) {
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    const NodeIndex node(n);
    const ResourceVector future = Cut(state.future_idle(node));
    const ResourceVector used = Cut(state.used(node));
    seen_.Set(n * 2, future);
    seen_.Set(n * 2 + 1, used);
    AddAround(node, kFuture, future);
    AddAround(node, kUsed, used);
    AddAround(node, kAllocatable, Cut(state.allocatable(node)));
  }
  for (std::size_t d = 0; d < tree.size(); ++d)
    sums_.Set(RowOf(d, kStart), future_idle(DomainIndex(d)));
}

void DomainSums::Refresh() {
  const std::span<const NodeIndex> touched = state_.touched();
  for (; cursor_ < touched.size(); ++cursor_) {
    const NodeIndex node = touched[cursor_];
    const auto take_up = [&](std::size_t row, Column column, const ResourceVector& now) {
      const ResourceVector change = now - ResourceVector(seen_[row]);
      if (change == ResourceVector()) return;
      AddAround(node, column, change);
      seen_.Set(row, now);
    };
    take_up(node.value() * 2, kFuture, Cut(state_.future_idle(node)));
    take_up(node.value() * 2 + 1, kUsed, Cut(state_.used(node)));
  }
}

ResourceVector DomainSums::Cut(const ResourceRow& row) const {
  ResourceVector out;
  for (std::size_t r = 0; r < snapshot_.schema.size(); ++r)
    out[r] = std::clamp(row[r], -most_, most_);
  return out;
}

void DomainSums::AddAround(NodeIndex node, Column column, const ResourceVector& amount) {
  const auto up_from = [&](DomainIndex d, auto change) {
    for (; !d.is_none(); d = tree_[d].parent) change(RowOf(d.value(), column));
  };
  const std::span<const DomainIndex> leaves = tree_.LeavesOf(node);
  for (const DomainIndex leaf : leaves)
    up_from(leaf, [&](std::size_t row) { sums_.Add(row, amount); });
  if (leaves.size() < 2) return;
  const auto repeated =
      std::ranges::equal_range(tree_.repeated(), node, {}, &DomainTree::Repeated::node);
  for (const DomainTree::Repeated& twice : repeated)
    up_from(twice.domain, [&](std::size_t row) { sums_.Subtract(row, amount); });
}

}  // namespace batholith
