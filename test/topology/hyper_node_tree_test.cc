#include "topology/hyper_node_tree.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace batholith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

HyperNodeMember Leaf(const std::string& name) { return {true, name, "", {}}; }
HyperNodeMember Inner(const std::string& name) { return {false, name, "", {}}; }
HyperNodeMember Like(const std::string& pattern) { return {true, "", pattern, {}}; }

HyperNodeRecord Hyper(const std::string& name, std::int32_t tier,
                      std::vector<HyperNodeMember> members) {
  HyperNodeRecord out;
  out.meta.name = name;
  out.tier = tier;
  out.members = std::move(members);
  return out;
}

class HyperNodeTree : public testing::Test {
 protected:
  explicit HyperNodeTree(std::size_t nodes = 6) {
    for (std::size_t n = 0; n < nodes; ++n) {
      NodeRecord node;
      node.meta.name = "n" + std::to_string(n);
      nodes_.push_back(std::move(node));
    }
    for (const NodeRecord& node : nodes_) pointers_.push_back(&node);
  }
  Domains Make(const std::vector<HyperNodeRecord>& hyper_nodes) const {
    return DomainsOfHyperNodes(hyper_nodes, pointers_);
  }
  static std::vector<std::string> Names(const Domains& domains) {
    std::vector<std::string> out;
    for (std::size_t d = 0; d < domains.tree.size(); ++d)
      out.push_back(domains.tree[DomainIndex(d)].name);
    return out;
  }

  std::vector<NodeRecord> nodes_;
  std::vector<const NodeRecord*> pointers_;
};

TEST_F(HyperNodeTree, each_domain_is_followed_by_what_is_inside_it_in_the_order_of_names) {
  const Domains d = Make({Hyper("rack-b", 1, {Leaf("n2"), Leaf("n3")}),
                          Hyper("hall", 2, {Inner("rack-b"), Inner("rack-a")}),
                          Hyper("rack-a", 1, {Leaf("n1"), Leaf("n0")})});
  EXPECT_THAT(Names(d),
              ElementsAre(std::string(DomainTree::kRootName), "hall", "rack-a", "rack-b"));
  EXPECT_THAT(d.notices, IsEmpty());
  EXPECT_EQ(d.tree.root_tier(), 3);
  EXPECT_THAT(d.tree.NodesIn(DomainIndex(1)),
              ElementsAre(NodeIndex(0), NodeIndex(1), NodeIndex(2), NodeIndex(3)));
  EXPECT_EQ(d.tree.NodesIn(DomainTree::kRoot).size(), 6U);
  EXPECT_EQ(d.tree.Common(DomainIndex(2), NodeIndex(3)), DomainIndex(1));
  EXPECT_EQ(d.tree.LeafOf(NodeIndex(5)), DomainTree::kRoot);
}

TEST_F(HyperNodeTree, a_cycle_leaves_out_who_is_on_it_and_what_is_inside) {
  const Domains d = Make({Hyper("a", 2, {Inner("b")}), Hyper("b", 2, {Inner("a"), Inner("c")}),
                          Hyper("c", 1, {Leaf("n0")}), Hyper("self", 2, {Inner("self")}),
                          Hyper("good", 1, {Leaf("n1")})});
  EXPECT_THAT(Names(d), ElementsAre(std::string(DomainTree::kRootName), "good"));
  ASSERT_EQ(d.notices.size(), 3U);
  EXPECT_THAT(d.notices[0], HasSubstr("HyperNode a: is on a cycle of members with b"));
}

TEST_F(HyperNodeTree, who_has_two_parents_is_left_out_and_these_stay) {
  const Domains d = Make({Hyper("child", 1, {Leaf("n0")}), Hyper("p1", 2, {Inner("child")}),
                          Hyper("p2", 2, {Inner("child"), Leaf("n1"), Leaf("gone")})});
  EXPECT_THAT(Names(d), ElementsAre(std::string(DomainTree::kRootName), "p1", "p2"));
  EXPECT_THAT(d.notices, ElementsAre(HasSubstr("child: is a member of both p1 and p2"),
                                     HasSubstr("HyperNode p2: there is no node gone")));
}

TEST_F(HyperNodeTree, a_node_in_two_domains_counts_once_around_both) {
  const Domains d = Make({Hyper("a", 1, {Leaf("n0"), Leaf("n1")}), Hyper("b", 1, {Leaf("n1")}),
                          Hyper("hall", 2, {Inner("a"), Inner("b")})});
  ASSERT_EQ(d.tree.repeated().size(), 1U);
  EXPECT_EQ(d.tree.repeated()[0].node, NodeIndex(1));
  EXPECT_EQ(d.tree[d.tree.repeated()[0].domain].name, "hall");
}

TEST_F(HyperNodeTree, expressions_are_found_anywhere_in_a_name_unless_they_say_where) {
  const Domains d = Make({Hyper("any", 1, {Like("[0-2]$")}), Hyper("first", 1, {Like("^n3?$")}),
                          Hyper("prefix", 1, {Like("^n4")}), Hyper("wrong", 1, {Like("(n")})});
  EXPECT_THAT(Names(d), ElementsAre(std::string(DomainTree::kRootName), "any", "first", "prefix"));
  EXPECT_EQ(d.tree.NodesIn(DomainIndex(1)).size(), 3U);
  EXPECT_THAT(d.tree.NodesIn(DomainIndex(2)), ElementsAre(NodeIndex(3)));
  EXPECT_THAT(d.tree.NodesIn(DomainIndex(3)), ElementsAre(NodeIndex(4)));
  EXPECT_THAT(d.notices, ElementsAre(HasSubstr("spec.members[0]: (n is no regular expression")));
}

TEST_F(HyperNodeTree, a_hundred_thousand_in_a_chain_or_in_a_heap_come_to_an_end) {
  std::vector<HyperNodeRecord> chain;
  std::vector<HyperNodeRecord> heap;
  for (std::int32_t i = 0; i < 100'000; ++i) {
    const std::string own = "h" + std::to_string(i);
    chain.push_back(Hyper(own, 100'000 - i, {Inner("h" + std::to_string(i + 1)), Leaf("n0")}));
    heap.push_back(Hyper(own, 1, {Like("n" + std::to_string(i))}));
  }
  EXPECT_LE(Make(chain).tree.size(), DomainTree::kMostLevels);
  const Domains d = Make(heap);
  EXPECT_GT(d.tree.size(), 1U);
  EXPECT_EQ(d.notices.size(), 21U);
}

}  // namespace
}  // namespace batholith
