// The end-to-end story of the slack vectors, on sizing and placement alone; the same story with
// real sessions and node groups is test/scenarios/slack/the-loop-of-slack-and-node-groups.yaml.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "actions/slack/model/placement.h"
#include "actions/slack/model/sizing.h"
#include "test/actions/slack/vectors.h"

namespace batholith {
namespace {

class Nodes : public SlackRoom {
 public:
  explicit Nodes(const std::vector<Shape>& used) : used_(used) {
    for (std::size_t n = 0; n < used.size(); ++n) order_.emplace_back(n);
  }
  std::span<const NodeIndex> Order() override { return order_; }
  ResourceVector Free(NodeIndex node) override {
    return VectorOf(kNode) - VectorOf(used_[node.value()]);
  }
  bool MayStay(std::uint32_t, NodeIndex node) override { return node.value() < used_.size(); }
  bool MayCome(std::uint32_t, NodeIndex) override { return true; }
  void OnPlaced(std::uint32_t, NodeIndex) override {}

 private:
  const std::vector<Shape>& used_;
  std::vector<NodeIndex> order_;
};

// The placeholders between the steps.
struct Story {
  std::vector<Shape> used;       // by node, n1 first
  std::vector<NodeIndex> stand;  // by placeholder
  std::optional<Shape> size;
};

using Names = std::vector<std::string>;
std::string NameOf(std::size_t i) { return "std-" + std::to_string(i + 1); }
Names NamesOf(const YAML::Node& list) { return list.as<Names>(Names()); }

void CheckStep(const YAML::Node& step, Story& story) {
  SCOPED_TRACE(step["step"].as<std::string>());
  const std::vector<Shape> nodes(story.used.size(), kNode);
  Shape requested;
  for (const Shape& used : story.used) requested = requested + used;
  EXPECT_EQ(requested, ShapeOf(step["requested"]));
  SizingInput input;
  input.nodes = nodes;
  input.base = requested;
  input.rate_ppm = 100'000;
  input.keep = story.size;
  const Sizing sizing = SizeSlack(input);
  EXPECT_EQ(sizing.extra, ShapeOf(step["extra"]));
  EXPECT_EQ(sizing.size, ShapeOf(step["size"]));
  ASSERT_EQ(sizing.count, step["count"].as<std::int64_t>());
  Names dropped;
  const auto count = static_cast<std::size_t>(sizing.count);
  for (std::size_t i = count; i < story.stand.size(); ++i) dropped.push_back(NameOf(i));
  story.stand.resize(count);
  std::vector<SlackItem> items;
  for (const NodeIndex node : story.stand) items.push_back({0, node});
  const std::vector<ResourceVector> sizes{VectorOf(sizing.size)};
  Nodes room(story.used);
  const SlackPlacement placed = PlaceSlack(items, sizes, room);
  std::map<std::string, std::string> assignment;
  Names unplaced;
  Names pushed_out;
  for (std::size_t i = 0; i < count; ++i) {
    if (placed.nodes[i].is_none()) {
      unplaced.push_back(NameOf(i));
    } else {
      assignment[NameOf(i)] = "n" + std::to_string(placed.nodes[i].value() + 1);
    }
  }
  for (const std::uint32_t i : placed.pushed_out) pushed_out.push_back(NameOf(i));
  EXPECT_EQ(assignment, (step["assignment"].as<std::map<std::string, std::string>>()));
  EXPECT_EQ(unplaced, NamesOf(step["unplaced"]));
  EXPECT_EQ(pushed_out, NamesOf(step["pushed_out"]));
  EXPECT_EQ(dropped, NamesOf(step["dropped"]));
  const std::int64_t per_node =
      std::min(kNode.cpu_m / sizing.size.cpu_m, kNode.mem_mib / sizing.size.mem_mib);
  const auto without = static_cast<std::int64_t>(unplaced.size());
  EXPECT_EQ((without + per_node - 1) / per_node, step["scale_up_nodes"].as<std::int64_t>());
  story.stand = placed.nodes;
  story.size = sizing.size;
}

TEST(EndToEndTest, EveryStep) {
  if (!HasSlackVectors()) GTEST_SKIP() << "no slack vectors beside the project";
  const YAML::Node steps = SlackVectors("end_to_end")["steps"];
  ASSERT_EQ(steps.size(), 7U);
  Story story;
  story.used.assign(4, {3600, 2048});
  CheckStep(steps[0], story);
  story.used.emplace_back();  // n5
  CheckStep(steps[1], story);
  story.used[4] = {1500, 1024};
  CheckStep(steps[2], story);
  story.used[4] = {3000, 2048};
  CheckStep(steps[3], story);
  story.used.emplace_back();  // n6
  CheckStep(steps[4], story);
  story.used[4] = {};
  CheckStep(steps[5], story);
  // The scale-down step is a matter of autoscale: the scenario has it. What it leaves:
  EXPECT_EQ(steps[6]["removable"].as<std::string>(), "n6");
  story.used.pop_back();
  std::vector<SlackItem> items;
  for (const NodeIndex node : story.stand) items.push_back({0, node});
  Nodes room(story.used);
  const SlackPlacement placed = PlaceSlack(items, std::vector{VectorOf(*story.size)}, room);
  EXPECT_THAT(placed.nodes, testing::ElementsAre(NodeIndex(4), NodeIndex(4)));
}

// 5,000 nodes with room for no more, 16 classes of 150 placeholders: each class asks each node
// once. Placeholder by placeholder it would be 12,000,000 questions.
TEST(EndToEndTest, EvaluationsStayWithinClassesTimesNodes) {
  const std::vector<Shape> used(5000, Shape{3950, 16384});
  std::vector<ResourceVector> sizes;
  std::vector<SlackItem> items;
  for (std::uint32_t c = 0; c < 16; ++c) {
    sizes.push_back(VectorOf({100 + c, 10}));
    for (int i = 0; i < 150; ++i) items.push_back({c, NodeIndex()});
  }
  Nodes room(used);
  const SlackPlacement placed = PlaceSlack(items, sizes, room);
  EXPECT_EQ(placed.evaluations, 16 * 5000);
  EXPECT_TRUE(placed.came.empty());
}

}  // namespace
}  // namespace batholith
