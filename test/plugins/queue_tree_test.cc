#include "plugins/common/queue_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace batholith {
namespace {

using Node = QueueTree::Node;
using Fault = QueueTree::Fault;

QueueTree TreeOf(std::vector<QueueTree::Named> queues) { return QueueTree::Of(queues); }

// root(3) over dept(0) over team(1); alone(2) under root.
const QueueTree kGood = TreeOf({{"dept", ""}, {"team", "dept"}, {"alone", "root"}, {"root", ""}});

TEST(QueueTree, ParentsComeBeforeChildren) {
  const auto order = kGood.top_down();
  ASSERT_EQ(order.size(), 4U);
  const auto place = [&](Node n) { return std::ranges::find(order, n) - order.begin(); };
  EXPECT_EQ(order.front(), 3U);
  EXPECT_LT(place(0), place(1));
  EXPECT_EQ(kGood.parent(1), 0U);
  EXPECT_EQ(kGood.parent(3), QueueTree::kNone);
  EXPECT_EQ(kGood.depth(1), 2U);
}

TEST(QueueTree, LeavesHaveNoChildren) {
  EXPECT_FALSE(kGood.leaf(3));
  EXPECT_FALSE(kGood.leaf(0));
  EXPECT_TRUE(kGood.leaf(1));
  EXPECT_TRUE(kGood.leaf(2));
}

TEST(QueueTree, CommonAncestors) {
  EXPECT_EQ(kGood.CommonDepth(1, 2), 0U);
  EXPECT_EQ(kGood.CommonDepth(1, 0), 1U);
  EXPECT_EQ(kGood.CommonDepth(1, 1), 2U);
  EXPECT_EQ(kGood.Siblings(1, 2), std::pair(Node{0}, Node{2}));
  EXPECT_EQ(kGood.Siblings(2, 1), std::pair(Node{2}, Node{0}));
}

TEST(QueueTree, ARootThatNobodyWroteStandsBehindTheOthers) {
  const QueueTree tree = TreeOf({{"a", ""}, {"b", "a"}});
  EXPECT_EQ(tree.size(), 3U);
  EXPECT_EQ(tree.root(), 2U);
  EXPECT_EQ(tree.parent(0), 2U);
}

TEST(QueueTree, TheRootHasNoParentWhateverItWrites) {
  const QueueTree tree = TreeOf({{"root", "a"}, {"a", "root"}});
  EXPECT_EQ(tree.parent(0), QueueTree::kNone);
  EXPECT_EQ(tree.fault(1), Fault::kNone);
}

TEST(QueueTree, ACycleIsAFaultOfItsQueuesAndOfThoseBelow) {
  const QueueTree tree =
      TreeOf({{"below", "a"}, {"a", "b"}, {"b", "c"}, {"c", "a"}, {"self", "self"}, {"good", ""}});
  for (const Node n : {0U, 1U, 2U, 3U}) {
    EXPECT_EQ(tree.fault(n), Fault::kCycle) << n;
    EXPECT_EQ(tree.culprit(n), 1U) << n;  // where the way up from the first queue meets itself
    EXPECT_EQ(tree.parent(n), QueueTree::kNone) << n;
  }
  EXPECT_EQ(tree.fault(4), Fault::kCycle);
  EXPECT_EQ(tree.culprit(4), 4U);
  EXPECT_EQ(tree.fault(5), Fault::kNone);
  EXPECT_EQ(tree.top_down().size(), 2U);  // good and the root
  EXPECT_EQ(tree.CommonDepth(0, 5), 0U);
}

TEST(QueueTree, AMissingParentIsAFaultOfAllBelow) {
  const QueueTree tree = TreeOf({{"team", "dept"}, {"dept", "nowhere"}, {"good", ""}});
  EXPECT_EQ(tree.fault(0), Fault::kParentMissing);
  EXPECT_EQ(tree.culprit(0), 1U);
  EXPECT_EQ(tree.culprit(1), 1U);
  EXPECT_EQ(tree.fault(2), Fault::kNone);
}

TEST(QueueTree, ALongChainIsWalkedOnce) {
  constexpr std::size_t kQueues = 100'000;
  std::vector<QueueTree::Named> queues;
  for (std::size_t i = 0; i < kQueues; ++i)
    queues.push_back({"q" + std::to_string(i), i == 0 ? "" : "q" + std::to_string(i - 1)});
  const QueueTree tree = QueueTree::Of(queues);
  EXPECT_EQ(tree.depth(kQueues - 1), kQueues);
  queues[0].parent = "nowhere";
  EXPECT_EQ(QueueTree::Of(queues).culprit(kQueues - 1), 0U);
}

TEST(QueueTree, FlatQueuesStandAlone) {
  const QueueTree tree = QueueTree::Flat(2);
  EXPECT_EQ(tree.root(), QueueTree::kNone);
  EXPECT_TRUE(tree.leaf(0));
  EXPECT_EQ(tree.CommonDepth(0, 1), 0U);
  EXPECT_EQ(tree.Siblings(0, 1), std::pair(Node{0}, Node{1}));
}

}  // namespace
}  // namespace batholith
