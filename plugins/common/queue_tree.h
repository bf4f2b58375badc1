#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace batholith {

// Which queue stands under which, by name; pure. A queue without a parent stands under the root,
// which is the queue `root` or, where nobody wrote one, a node of its own behind the others. What
// is wrong with one part of the tree leaves the rest as it is.
class QueueTree {
 public:
  using Node = std::size_t;  // the place of a queue among those given
  static constexpr Node kNone = SIZE_MAX;

  enum class Fault : std::uint8_t {
    kNone,
    kParentMissing,  // this queue, or one above it, names a parent that does not exist
    kCycle,          // the way up never ends
  };

  struct Named {
    std::string name;
    std::string parent;  // empty: root
  };

  // Every queue for itself: no root, no parents. Cost: O(queues).
  static QueueTree Flat(std::size_t queues);
  // Cost: O(queues × log queues).
  static QueueTree Of(std::span<const Named> queues);

  std::size_t size() const { return parent_.size(); }
  Node root() const { return root_; }                    // none in a flat tree
  Node parent(Node n) const { return parent_[n]; }       // none: the root, or a fault
  std::size_t depth(Node n) const { return depth_[n]; }  // 0: the root, a fault, a flat tree
  bool leaf(Node n) const { return leaf_[n]; }
  Fault fault(Node n) const { return fault_[n]; }
  Node culprit(Node n) const { return culprit_[n]; }  // the queue whose parent is to be mended
  // The nodes without a fault, parents before children.
  std::span<const Node> top_down() const { return top_down_; }

  // The depth of the lowest node at or above both; 0 in a flat tree and with a fault.
  std::size_t CommonDepth(Node a, Node b) const;
  // The two nodes at or above `a` and `b` that have the same parent. REQUIRES: a ≠ b, both leaves
  // without a fault.
  std::pair<Node, Node> Siblings(Node a, Node b) const;

 private:
  QueueTree() = default;
  void Resolve(Node start, std::vector<std::uint8_t>& seen);

  Node root_ = kNone;
  std::vector<Node> parent_;
  std::vector<std::size_t> depth_;
  std::vector<bool> leaf_;
  std::vector<Fault> fault_;
  std::vector<Node> culprit_;
  std::vector<Node> top_down_;
};

}  // namespace batholith
