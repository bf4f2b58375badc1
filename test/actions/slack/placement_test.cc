#include "actions/slack/model/placement.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "test/actions/slack/vectors.h"

namespace batholith {
namespace {

// Nodes by name, with what real pods leave of them.
class NamedRoom : public SlackRoom {
 public:
  void Add(const std::string& name, const ResourceVector& free) {
    names.push_back(name);
    free_.push_back(free);
    order.emplace_back(order.size());
  }
  NodeIndex Find(const std::string& name) const {
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (names[n] == name) return NodeIndex(n);
    }
    return NodeIndex(1000);  // a node that is gone: the vectors have fewer
  }
  std::span<const NodeIndex> Order() override { return order; }
  ResourceVector Free(NodeIndex node) override {
    EXPECT_TRUE(asked.insert(node).second) << "asked twice";
    return free_[node.value()];
  }
  bool MayStay(std::uint32_t, NodeIndex node) override { return node.value() < names.size(); }
  bool MayCome(std::uint32_t, NodeIndex node) override { return !closed.contains(node); }
  void OnPlaced(std::uint32_t item_class, NodeIndex node) override {
    if (item_class == alone) closed.insert(node);
  }

  std::vector<std::string> names;
  std::vector<NodeIndex> order;
  std::set<NodeIndex> asked;
  std::set<NodeIndex> closed;
  std::uint32_t alone = 1000;  // a class of which a node takes one

 private:
  std::vector<ResourceVector> free_;
};

std::vector<std::string> Strings(const YAML::Node& list) {
  return list.as<std::vector<std::string>>(std::vector<std::string>());
}

struct Listed {
  std::vector<std::string> ids;
  std::vector<SlackItem> items;
  std::vector<ResourceVector> sizes;
};

Listed ItemsOf(const YAML::Node& v, const NamedRoom& room) {
  Listed out;
  std::map<Shape, std::uint32_t> classes;
  for (const YAML::Node& p : v["placeholders"]) {
    const auto id = p["id"].as<std::string>();
    const Shape size = ShapeOf(p["size"]);
    const auto [it, fresh] =
        classes.try_emplace(size, static_cast<std::uint32_t>(out.sizes.size()));
    if (fresh) out.sizes.push_back(VectorOf(size));
    SlackItem item{it->second, NodeIndex()};
    if (const YAML::Node before = v["previous_assignment"][id])
      item.node = room.Find(before.as<std::string>());
    out.ids.push_back(id);
    out.items.push_back(item);
  }
  return out;
}

void CheckPlacement(const YAML::Node& v) {
  SCOPED_TRACE(v["id"].as<std::string>());
  NamedRoom room;
  for (const YAML::Node& n : v["nodes"]) {
    room.Add(n["name"].as<std::string>(),
             VectorOf(ShapeOf(n["allocatable"])) - VectorOf(ShapeOf(n["used_by_real_pods"])));
  }
  const Listed in = ItemsOf(v, room);
  const SlackPlacement got = PlaceSlack(in.items, in.sizes, room);
  std::map<std::string, std::string> assignment;
  std::map<std::string, std::string> came;
  std::vector<std::string> unplaced;
  std::set<std::string> left;
  for (std::size_t i = 0; i < in.ids.size(); ++i) {
    if (got.nodes[i].is_none()) {
      unplaced.push_back(in.ids[i]);
    } else {
      assignment[in.ids[i]] = room.names[got.nodes[i].value()];
    }
  }
  for (const std::uint32_t i : got.came) came[in.ids[i]] = assignment[in.ids[i]];
  for (const std::uint32_t i : got.pushed_out) left.insert(in.ids[i]);
  for (const std::uint32_t i : got.node_gone) left.insert(in.ids[i]);
  using Places = std::map<std::string, std::string>;
  const YAML::Node expect = v["expect"];
  EXPECT_EQ(assignment, expect["assignment"].as<Places>());
  EXPECT_EQ(came, expect["newly_placed"].as<Places>());
  EXPECT_EQ(unplaced, Strings(expect["unplaced"]));
  const std::vector<std::string> pushed = Strings(expect["pushed_out"]);
  EXPECT_EQ(left, std::set<std::string>(pushed.begin(), pushed.end()));
  EXPECT_EQ(got.evaluations, expect["evaluations"].as<std::int64_t>());
}

TEST(PlacementTest, EveryVector) {
  if (!HasSlackVectors()) GTEST_SKIP() << "no slack vectors beside the project";
  for (const YAML::Node& v : SlackVectors("placement")) CheckPlacement(v);
}

// A node is full of something that placeholders do not ask for: that pushes none of them out.
TEST(PlacementTest, OnlyWhatIsAskedForPushesOut) {
  NamedRoom room;
  ResourceVector free = VectorOf({1000, 1000});
  free[5] = -2;
  room.Add("n1", free);
  const std::vector<ResourceVector> sizes{VectorOf({800, 500})};
  const std::vector<SlackItem> items{{0, NodeIndex(0)}};
  const SlackPlacement got = PlaceSlack(items, sizes, room);
  EXPECT_EQ(got.nodes[0], NodeIndex(0));
  EXPECT_TRUE(got.pushed_out.empty());
}

// Three of a class of which a node takes one, on two nodes with room for all: the kept one and one
// more find a place, and the class is asked 3 times at most.
TEST(PlacementTest, AClassMayClosePlacesToItself) {
  NamedRoom room;
  room.alone = 0;
  room.Add("n1", VectorOf({4000, 4000}));
  room.Add("n2", VectorOf({4000, 4000}));
  const std::vector<ResourceVector> sizes{VectorOf({100, 100})};
  const std::vector<SlackItem> items{{0, NodeIndex()}, {0, NodeIndex(0)}, {0, NodeIndex()}};
  const SlackPlacement got = PlaceSlack(items, sizes, room);
  EXPECT_THAT(got.nodes, testing::ElementsAre(NodeIndex(1), NodeIndex(0), NodeIndex()));
  EXPECT_EQ(got.evaluations, 3);
}

}  // namespace
}  // namespace batholith
