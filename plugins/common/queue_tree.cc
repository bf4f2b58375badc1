#include "plugins/common/queue_tree.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <string_view>
#include <utility>

namespace batholith {
namespace {

constexpr std::string_view kRoot = "root";
enum Seen : std::uint8_t { kNotYet, kOnThisWay, kDone };

}  // namespace

QueueTree QueueTree::Flat(std::size_t queues) {
  QueueTree tree;
  tree.parent_.assign(queues, kNone);
  tree.depth_.assign(queues, 0);
  tree.leaf_.assign(queues, true);
  tree.fault_.assign(queues, Fault::kNone);
  tree.culprit_.assign(queues, kNone);
  tree.top_down_.resize(queues);
  std::iota(tree.top_down_.begin(), tree.top_down_.end(), Node{0});
  return tree;
}

QueueTree QueueTree::Of(std::span<const Named> queues) {
  std::map<std::string_view, Node> by_name;
  for (Node n = 0; n < queues.size(); ++n) by_name.emplace(queues[n].name, n);
  const Node root = by_name.try_emplace(kRoot, queues.size()).first->second;
  QueueTree tree = Flat(std::max(queues.size(), root + 1));
  tree.root_ = root;
  tree.top_down_.clear();
  for (Node n = 0; n < queues.size(); ++n) {
    if (n == root) continue;
    const std::string& parent = queues[n].parent;
    const auto above = by_name.find(parent.empty() ? kRoot : std::string_view(parent));
    if (above == by_name.end()) continue;
    tree.parent_[n] = above->second;
    tree.leaf_[above->second] = false;
  }
  std::vector<std::uint8_t> seen(tree.size(), kNotYet);
  for (Node n = 0; n < tree.size(); ++n) tree.Resolve(n, seen);
  for (Node n = 0; n < tree.size(); ++n) {
    if (tree.fault_[n] != Fault::kNone) tree.parent_[n] = kNone;
  }
  return tree;
}

// Walks up from `start` until what is above is known, then tells all nodes on the way.
void QueueTree::Resolve(Node start, std::vector<std::uint8_t>& seen) {
  std::vector<Node> way;
  Node n = start;
  while (seen[n] == kNotYet) {
    seen[n] = kOnThisWay;
    way.push_back(n);
    if (parent_[n] == kNone) break;
    n = parent_[n];
  }
  if (seen[n] == kOnThisWay && n != root_) {
    fault_[n] = parent_[n] == kNone ? Fault::kParentMissing : Fault::kCycle;
    culprit_[n] = n;
  }
  const Fault fault = fault_[n];
  const Node culprit = culprit_[n];
  for (const Node w : std::views::reverse(way)) {
    seen[w] = kDone;
    fault_[w] = fault;
    culprit_[w] = culprit;
    if (fault != Fault::kNone) continue;
    depth_[w] = w == root_ ? 0 : depth_[parent_[w]] + 1;
    top_down_.push_back(w);
  }
}

std::size_t QueueTree::CommonDepth(Node a, Node b) const {
  if (root_ == kNone || fault_[a] != Fault::kNone || fault_[b] != Fault::kNone) return 0;
  while (a != b) {
    if (depth_[a] >= depth_[b]) {
      a = parent_[a];
    } else {
      b = parent_[b];
    }
  }
  return depth_[a];
}

std::pair<QueueTree::Node, QueueTree::Node> QueueTree::Siblings(Node a, Node b) const {
  while (parent_[a] != parent_[b]) {
    if (depth_[a] >= depth_[b]) {
      a = parent_[a];
    } else {
      b = parent_[b];
    }
  }
  return {a, b};
}

}  // namespace batholith
