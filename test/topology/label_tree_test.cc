#include "topology/label_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace batholith {
namespace {

NodeRecord Labelled(const std::string& name, const Labels& labels) {
  NodeRecord node;
  node.meta.name = name;
  node.meta.labels = labels;
  return node;
}

// "a:2 a/r1:1[0 1]": each domain below the root, its tier and the nodes inside it.
std::string Shown(const LabelKeys& keys, const std::vector<NodeRecord>& nodes) {
  std::vector<const NodeRecord*> pointers;
  for (const NodeRecord& node : nodes) pointers.push_back(&node);
  const DomainTree tree = TreeOfLabels(keys, pointers);
  std::string out;
  for (std::size_t d = 1; d < tree.size(); ++d) {
    const Domain& domain = tree[DomainIndex(d)];
    out += (out.empty() ? "" : " ") + domain.name + ":" + std::to_string(domain.tier) + "[";
    for (const NodeIndex node : tree.NodesIn(DomainIndex(d))) out += std::to_string(node.value());
    out += "]";
  }
  return out;
}

const std::vector<NodeRecord> kNodes{Labelled("n0", {{"zone", "a"}, {"rack", "r1"}, {"row", "v"}}),
                                     Labelled("n1", {{"zone", "a"}, {"rack", "r2"}}),
                                     Labelled("n2", {{"zone", "b"}, {"rack", "r1"}}),
                                     Labelled("n3", {{"rack", "r1"}}),
                                     Labelled("n4", {{"zone", "a"}}),
                                     Labelled("n5", {{"zone", ""}})};

TEST(LabelTree, a_domain_is_a_value_and_who_has_none_is_in_none) {
  EXPECT_EQ(Shown({"zone", {}}, kNodes), "a:1[014] b:1[2]");
  EXPECT_EQ(Shown({"", {"rack"}}, kNodes), "r1:1[023] r2:1[1]");
  EXPECT_EQ(Shown({"hall", {}}, kNodes), "");
}

TEST(LabelTree, close_labels_stand_beside_each_other_inside_the_one_around) {
  EXPECT_EQ(Shown({"zone", {"rack"}}, kNodes), "a:2[401] a/r1:1[0] a/r2:1[1] b:2[2] b/r1:1[2]");
  // Node 0 is in a rack and in a row, and once in a zone by each.
  EXPECT_EQ(Shown({"zone", {"rack", "row"}}, kNodes),
            "a:3[4010] a/r1:1[0] a/r2:1[1] a/v:2[0] b:3[2] b/r1:1[2]");
}

TEST(LabelTree, the_tier_tells_the_label) {
  const LabelKeys keys{"zone", {"rack", "row"}};
  EXPECT_EQ(TierOfClose(keys, "rack"), 1);
  EXPECT_EQ(TierOfClose(keys, "row"), 2);
  EXPECT_EQ(TierOfClose(keys, "zone"), 0);
  EXPECT_EQ(TierOfAround(keys, "zone"), 3);
  EXPECT_EQ(TierOfAround(keys, "rack"), 0);
}

}  // namespace
}  // namespace batholith
