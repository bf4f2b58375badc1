#include "actions/common/domain_candidates.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace batholith {

ResourceVector LeastOf(const Snapshot& snapshot, std::span<const TaskIndex> tasks,
                       std::size_t count) {
  count = std::min(count, tasks.size());
  ResourceVector out;
  if (count == 0) return out;
  const SharedResources& first = snapshot.task(tasks.front()).request;
  if (std::ranges::all_of(tasks,
                          [&](TaskIndex t) { return snapshot.task(t).request.Same(first); })) {
    out.AddTimes(first, static_cast<std::int64_t>(count));
    return out;
  }
  std::vector<std::int64_t> amounts;
  for (std::size_t r = 0; r < snapshot.schema.size(); ++r) {
    amounts.clear();
    for (const TaskIndex t : tasks) amounts.push_back(snapshot.task(t).request[r]);
    std::ranges::nth_element(amounts, amounts.begin() + static_cast<std::ptrdiff_t>(count - 1));
    for (std::size_t i = 0; i < count; ++i)
      out[r] = ResourceVector::AddSaturating(out[r], amounts[i]);
  }
  return out;
}

void DomainCandidates::CountTasks(std::span<const TaskIndex> tasks) {
  const DomainTree& tree = topology_.tree();
  counts_.resize(tree.size());
  seen_in_.resize(tree.size());
  for (const DomainIndex d : counted_) counts_[d.value()] = 0;
  for (const DomainIndex d : counted_) seen_in_[d.value()] = 0;
  counted_.clear();
  nodes_.clear();
  for (const TaskIndex t : tasks) {
    const TaskStatus status = session_.state().status(t);
    const NodeIndex node = session_.state().node(t);
    if (node.is_none() || (!HoldsAllocation(status) && status != TaskStatus::kPipelined)) continue;
    nodes_.push_back(node);
    for (const DomainIndex leaf : tree.LeavesOf(node)) {
      for (DomainIndex d = leaf; !d.is_none(); d = tree[d].parent) {
        // Where a node has several leaves, domains around two of them count once.
        if (std::exchange(seen_in_[d.value()], nodes_.size()) == nodes_.size()) break;
        if (counts_[d.value()]++ == 0) counted_.push_back(d);
      }
    }
  }
}

std::vector<DomainIndex> DomainCandidates::Around(const TopologyLimit& limit,
                                                  std::span<const TaskIndex> tasks,
                                                  DomainIndex inside) {
  const DomainTree& tree = topology_.tree();
  CountTasks(tasks);
  if (nodes_.empty()) return {inside};
  const auto fits = [&](DomainIndex d) {
    return limit.Allows(tree[d].tier) &&
           std::ranges::all_of(nodes_, [&](NodeIndex node) { return tree.Holds(d, node); });
  };
  std::vector<DomainIndex> out;
  for (const DomainIndex leaf : tree.LeavesOf(nodes_.front())) {
    DomainIndex widest;
    for (DomainIndex d = leaf; !d.is_none(); d = tree[d].parent) {
      if (fits(d)) widest = d;
    }
    if (widest.is_none()) continue;
    if (tree.Inside(inside, widest)) widest = inside;
    if (!tree.Inside(widest, inside) || std::ranges::find(out, widest) != out.end()) continue;
    out.push_back(widest);
  }
  return out;
}

// Places of the domains in the order of their names, once: a name costs more than a number.
void DomainCandidates::RankNames() {
  const DomainTree& tree = topology_.tree();
  if (!name_ranks_.empty()) return;
  std::vector<DomainIndex> order;
  for (std::size_t d = 0; d < tree.size(); ++d) order.push_back(DomainIndex(d));
  std::ranges::stable_sort(order, {},
                           [&](DomainIndex d) { return std::string_view(tree[d].name); });
  name_ranks_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    name_ranks_[order[i].value()] = static_cast<std::uint32_t>(i);
}

CandidateTiers DomainCandidates::Find(const Asked& asked) {
  const DomainTree& tree = topology_.tree();
  const std::vector<DomainIndex> roots = Around(asked.limit, asked.tasks, asked.inside);
  const DomainSums& sums = topology_.sums();
  std::vector<DomainCandidate> out;
  const double all = static_cast<double>(std::max<std::size_t>(asked.tasks.size(), 1));
  for (const DomainIndex root : roots) {
    for (std::size_t i = root.value(); i < tree[root].end; ++i) {
      const DomainIndex d(i);
      if (!asked.limit.Allows(tree[d].tier) || !asked.need.FitsIn(sums.future_idle(d))) continue;
      const std::int32_t there = counts_[i];
      if (there == 0 && asked.promised != nullptr &&
          !asked.promised->FitsIn(sums.future_idle_at_start(d)))
        continue;
      const bool holds_all = asked.prefer_all && asked.whole.FitsIn(sums.future_idle(d));
      out.push_back({d, tree[d].tier, holds_all, 0, there / all});
    }
  }
  // Of several roots one may be inside the other.
  if (roots.size() > 1) {
    std::ranges::sort(out, {}, &DomainCandidate::domain);
    const auto again = std::ranges::unique(out, {}, &DomainCandidate::domain);
    out.erase(again.begin(), again.end());
  }
  RankNames();
  return {topology_, name_ranks_, asked.whole, std::move(out)};
}

std::span<const DomainCandidate> CandidateTiers::Next() {
  if (next_ == candidates_.size()) return {};
  const std::span<DomainCandidate> rest = std::span(candidates_).subspan(next_);
  const auto rank = [](const DomainCandidate& c) { return std::pair(!c.holds_all, c.tier); };
  const auto first = rank(*std::ranges::min_element(rest, {}, rank));
  const auto behind =
      std::ranges::partition(rest, [&](const DomainCandidate& c) { return rank(c) == first; });
  const std::span<DomainCandidate> tier = rest.first(rest.size() - behind.size());
  (void)topology_.sums();
  for (DomainCandidate& c : tier) c.fullness = topology_.Fullness(whole_, c.domain);
  std::ranges::sort(tier, [&](const DomainCandidate& a, const DomainCandidate& b) {
    if (a.fullness != b.fullness) return a.fullness > b.fullness;
    if (a.share != b.share) return a.share > b.share;
    return name_ranks_[a.domain.value()] < name_ranks_[b.domain.value()];
  });
  next_ += tier.size();
  return tier;
}

}  // namespace batholith
