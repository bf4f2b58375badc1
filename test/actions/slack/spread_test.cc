#include "actions/slack/model/spread.h"

#include <gmock/gmock.h>

#include "actions/slack/model/placement.h"
#include "test/actions/slack/vectors.h"

namespace batholith {
namespace {

// Pods by zone, on nodes whose zones are listed.
HardSpread Zones(std::vector<std::uint32_t> of_node, std::vector<std::int64_t> pods) {
  HardSpread out;
  out.key = "zone";
  out.domain = std::move(of_node);
  out.pods = std::move(pods);
  for (std::uint32_t d = 0; d < out.pods.size(); ++d) out.among.push_back(d);
  out.self = true;
  out.counted = true;
  return out;
}

TEST(SlackSpreadTest, ALaneClosesAndOpensAgain) {
  SlackSpread spread({Zones({0, 1, 0}, {1, 0})});
  EXPECT_EQ(spread.LaneOf(NodeIndex(0)), spread.LaneOf(NodeIndex(2)));
  const std::uint32_t a = spread.LaneOf(NodeIndex(0));
  const std::uint32_t b = spread.LaneOf(NodeIndex(1));
  EXPECT_FALSE(spread.IsOpen(a));  // 1 + 1 would be 2 above 0
  EXPECT_TRUE(spread.IsOpen(b));
  EXPECT_TRUE(spread.Add(b));  // the least is 1 now
  EXPECT_TRUE(spread.IsOpen(a));
  EXPECT_FALSE(spread.Add(a));
  EXPECT_FALSE(spread.IsOpen(a));
  EXPECT_TRUE(spread.IsLevel(a));
  spread.Remove(b);
  EXPECT_FALSE(spread.IsLevel(a));
}

TEST(SlackSpreadTest, FewDomainsMakeTheLeastZero) {
  HardSpread zones = Zones({0}, {1});
  SlackSpread one({zones});
  EXPECT_TRUE(one.IsOpen(0));  // the only zone is level with itself
  zones.min_domains = 2;
  SlackSpread two({zones});
  EXPECT_FALSE(two.IsOpen(0));
}

TEST(SlackSpreadTest, WhoIsNotSelectedCountsForNobody) {
  HardSpread zones = Zones({0, 1}, {1, 0});
  zones.self = zones.counted = false;
  SlackSpread spread({zones});
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(spread.IsOpen(0));
    EXPECT_FALSE(spread.Add(0));
  }
}

TEST(SlackSpreadTest, ANodeWithoutTheLabelHasNoLane) {
  const SlackSpread spread({Zones({0, HardSpread::kNoDomain}, {0})});
  EXPECT_EQ(spread.LaneOf(NodeIndex(1)), SlackSpread::kNoLane);
}

// Nodes with room for so many of one class each.
class SpreadRoom : public SlackRoom {
 public:
  SpreadRoom(std::vector<std::int64_t> room, HardSpread spread)
      : spread_({std::move(spread)}), room_(std::move(room)) {
    for (std::size_t n = 0; n < room_.size(); ++n) order_.emplace_back(n);
  }
  std::span<const NodeIndex> Order() override { return order_; }
  ResourceVector Free(NodeIndex node) override {
    return VectorOf({room_[node.value()] * 100, room_[node.value()] * 100});
  }
  bool MayStay(std::uint32_t, NodeIndex) override { return true; }
  bool MayCome(std::uint32_t, NodeIndex) override { return true; }
  void OnPlaced(std::uint32_t, NodeIndex) override {}
  SlackSpread* Spread(std::uint32_t) override { return &spread_; }

 private:
  SlackSpread spread_;
  std::vector<std::int64_t> room_;
  std::vector<NodeIndex> order_;
};

std::vector<std::size_t> CountsOf(const SlackPlacement& placement, std::size_t nodes) {
  std::vector<std::size_t> out(nodes + 1);
  for (const NodeIndex node : placement.nodes) ++out[node.is_none() ? nodes : node.value()];
  return out;
}

// A node that was closed when it was passed is taken later, and nobody is asked twice for nothing.
TEST(SlackSpreadTest, PlacementComesBackToAZoneThatOpensAgain) {
  SpreadRoom room({9, 9, 2, 0}, Zones({0, 0, 1, 1}, {0, 0}));
  const std::vector<ResourceVector> sizes{VectorOf({100, 100})};
  const std::vector<SlackItem> items(8);
  const SlackPlacement got = PlaceSlack(items, sizes, room);
  EXPECT_THAT(CountsOf(got, 4), testing::ElementsAre(3, 0, 2, 0, 3));
  EXPECT_LE(got.evaluations, 4 + 8);
}

TEST(SlackSpreadTest, TheBoundHoldsOnManyHosts) {
  constexpr std::uint32_t kHosts = 1000;
  std::vector<std::uint32_t> hosts;
  std::vector<std::int64_t> pods;
  for (std::uint32_t n = 0; n < kHosts; ++n) {
    hosts.push_back(n);
    pods.push_back(n % 7);
  }
  const std::vector<ResourceVector> sizes{VectorOf({100, 100})};
  const std::vector<SlackItem> items(2500);
  for (const std::int64_t each : {1, 3, 50}) {
    SpreadRoom room(std::vector<std::int64_t>(kHosts, each), Zones(hosts, pods));
    EXPECT_LE(PlaceSlack(items, sizes, room).evaluations, kHosts + 2500);
  }
}

// 1 pod and two placeholders stand in one zone, nobody in the other: beside an empty zone neither
// could be replaced by a pod. One comes back once the other zone has the first.
TEST(SlackSpreadTest, WhoStandsInTooFullAZoneMoves) {
  SpreadRoom room({9, 9}, Zones({0, 1}, {1, 0}));
  const std::vector<ResourceVector> sizes{VectorOf({100, 100})};
  const std::vector<SlackItem> items{{0, NodeIndex(0)}, {0, NodeIndex(0)}};
  const SlackPlacement got = PlaceSlack(items, sizes, room);
  EXPECT_THAT(got.node_gone, testing::ElementsAre(0U, 1U));
  EXPECT_THAT(CountsOf(got, 2), testing::ElementsAre(1, 1, 0));
}

}  // namespace
}  // namespace batholith
