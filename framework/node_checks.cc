#include "framework/node_checks.h"

#include <algorithm>
#include <utility>

#include "framework/chains.h"

namespace batholith {

NodeChecks::NodeChecks(const Snapshot& snapshot, const Chain<Predicate>& predicates, TaskIndex task)
    : snapshot_(snapshot) {
  for (const Link<Predicate>& link : predicates) {
    std::unique_ptr<NodeCheck> check = link.plugin->Prepare(task);
    if (check == nullptr) continue;
    const bool around = link.plugin->PredicateDependence(task) == Dependence::kCluster;
    two_parts_ = two_parts_ && (!around || check->LooksAround());
    parts_.push_back({link.plugin, std::move(check)});
  }
  const TaskFacts& facts = snapshot.task(task);
  if (facts.unserved)
    served_ = InsufficientUncounted(snapshot.Uncounted(facts.record->request).front());
}

void NodeChecks::Refresh() {
  for (Part& part : parts_) part.check->Refresh();
}

Unfit NodeChecks::Check(NodeIndex node, const Predicate** source) const {
  return Ask(&NodeCheck::Check, node, source);
}

Unfit NodeChecks::CheckReserved(NodeIndex node, const Predicate** source) const {
  return Ask(&NodeCheck::CheckReserved, node, source);
}

bool NodeChecks::LeavingMatter() const {
  return std::ranges::any_of(parts_, [](const Part& part) { return part.check->LeavingMatter(); });
}

bool NodeChecks::FixedBeyondRoom() const {
  return std::ranges::all_of(parts_,
                             [](const Part& part) { return part.check->FixedBeyondRoom(); });
}

void NodeChecks::PassAround(std::span<const NodeIndex> nodes,
                            std::span<std::uint8_t> passes) const {
  for (const Part& part : parts_) {
    if (part.check->LooksAround()) part.check->PassAround(nodes, passes);
  }
}

Unfit NodeChecks::ClosedBy(NodeIndex node) const {
  return {snapshot_.node(node).off_shard ? Reason::kNodeOffShard : Reason::kNodeClosed, false, 0};
}

Unfit NodeChecks::Ask(Question question, NodeIndex node, const Predicate** source) const {
  if (snapshot_.node(node).closed) return ClosedBy(node);
  for (const Part& part : parts_) {
    const Unfit why = (*part.check.*question)(node);
    if (why.ok()) continue;
    if (source != nullptr) *source = part.plugin;
    return why;
  }
  return served_;
}

Unfit NodeChecks::CheckUnspread(NodeIndex node) const {
  if (snapshot_.node(node).closed) return ClosedBy(node);
  for (const Part& part : parts_) {
    const Unfit why = part.check->Check(node);
    if (!why.ok() && why.reason != Reason::kTopologySpread) return why;
  }
  return served_;
}

std::vector<HardSpread> NodeChecks::Spread() const {
  std::vector<HardSpread> out;
  for (const Part& part : parts_) part.check->AddHardSpread(out);
  return out;
}

NodeChecks& ClassChecks::Of(TaskIndex task) {
  std::unique_ptr<NodeChecks>& checks = by_class_[classes_.Of(task).value()];
  if (checks == nullptr) {
    checks = std::make_unique<NodeChecks>(chains_.ChecksFor(task));
  } else {
    checks->Refresh();
  }
  return *checks;
}

}  // namespace batholith
