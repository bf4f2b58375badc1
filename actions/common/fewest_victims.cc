#include "actions/common/fewest_victims.h"

#include <algorithm>

#include "actions/common/victim_order.h"

namespace batholith {

void FewestVictims::Set(TaskIndex preemptor, std::span<const std::size_t> wanted) {
  const std::span<const NodeIndex> touched = session_.state().touched();
  const bool same = !preemptor_.is_none() &&
                    session_.classes().Of(preemptor) == session_.classes().Of(preemptor_);
  preemptor_ = preemptor;
  wanted_ = wanted;
  if (same && !counts_.empty()) {
    for (const NodeIndex node : touched.subspan(touched_)) counts_[node.value()] = 0;
  } else {
    counts_.clear();
  }
  touched_ = touched.size();
}

std::int64_t FewestVictims::On(NodeIndex node) {
  if (largest_.empty()) FindLargest();
  if (counts_.empty()) counts_.assign(session_.snapshot().nodes.size(), 0);
  std::int64_t& count = counts_[node.value()];
  if (count == 0) count = Count(node);
  return count;
}

void FewestVictims::FindLargest() {
  const Snapshot& snapshot = session_.snapshot();
  largest_.resize(snapshot.nodes.size());
  for (const TaskFacts& task : snapshot.tasks) {
    if (!VictimOrder::IsVictim(task)) continue;
    ResourceVector& most = largest_[task.node.value()];
    most = ResourceVector::Max(most, task.request);
  }
}

std::int64_t FewestVictims::Count(NodeIndex node) const {
  const ResourceVector& request = session_.snapshot().task(preemptor_).request;
  const bool guarded = !session_.slack_guard().MayUse(preemptor_);
  std::int64_t most = 1;
  for (const std::size_t r : wanted_) {
    std::int64_t room = session_.state().future_idle(node)[r];
    if (guarded) room = ResourceVector::SubSaturating(room, session_.slack_guard().Held(node)[r]);
    const std::int64_t lack = ResourceVector::SubSaturating(request[r], room);
    if (lack <= 0) continue;
    const std::int64_t largest = largest_[node.value()][r];
    if (largest <= 0) return INT64_MAX;
    most = std::max(most, lack / largest + (lack % largest > 0 ? 1 : 0));
  }
  return most;
}

}  // namespace batholith
