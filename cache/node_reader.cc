#include "cache/node_reader.h"

#include <algorithm>

namespace batholith {

NodeFacts ReadNode(const NodeRecord& node, const Snapshot& snapshot, SnapshotTables& tables) {
  NodeFacts facts;
  facts.record = &node;
  facts.allocatable = tables.amounts->Intern(snapshot.ToVector(node.allocatable));
  facts.lists_pods = node.allocatable.contains("pods");
  facts.usable = node.ready && !node.unschedulable;
  for (const Taint& taint : node.taints) {
    if (taint.key == "node.kubernetes.io/not-ready" ||
        taint.key == "node.kubernetes.io/unreachable")
      facts.usable = false;
  }
  return facts;
}

bool OfferTheSame(const NodeRecord& a, const NodeRecord& b) {
  return std::ranges::equal(a.allocatable, b.allocatable, [](const auto& one, const auto& other) {
    return one.first == other.first && (one.second > 0) == (other.second > 0);
  });
}

}  // namespace batholith
