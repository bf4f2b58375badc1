#include "actions/slack/model/sizing.h"

#include <gmock/gmock.h>

#include <optional>

#include "test/actions/slack/vectors.h"

namespace batholith {

void PrintTo(const Shape& shape, std::ostream* os) {
  *os << "[" << shape.cpu_m << ", " << shape.mem_mib << "]";
}

namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

std::vector<Shape> NodesOf(const YAML::Node& groups) {
  std::vector<Shape> out;
  for (const YAML::Node& group : groups)
    out.insert(out.end(), group["count"].as<std::size_t>(), ShapeOf(group));
  return out;
}

Shape SumOf(const std::vector<Shape>& shapes) {
  Shape sum;
  for (const Shape& shape : shapes) sum = sum + shape;
  return sum;
}

Shape SizeOf(const YAML::Node& expect, const char* name) {
  return expect[name].IsNull() ? Shape() : ShapeOf(expect[name]);
}

void CheckSizing(const YAML::Node& v, const std::string& form) {
  SCOPED_TRACE(v["id"].as<std::string>() + " " + form);
  const YAML::Node in = v["input"];
  const YAML::Node expect = v["expect"][form];
  const std::vector<Shape> nodes = NodesOf(in["nodes"]);
  const std::vector<Shape> pods = ShapesOf(in["pod_shapes"]);
  SizingInput input;
  input.nodes = nodes;
  input.pods = pods;
  input.base =
      in["base"].as<std::string>() == "requested" ? ShapeOf(in["requested"]) : SumOf(nodes);
  input.rate_ppm = in["rate_ppm"].as<std::int64_t>();
  input.granularity = in["granularity"].as<std::int64_t>();
  input.max_placeholders = in["max_placeholders"].as<std::int64_t>(INT64_MAX);
  input.shape = form == "v1"    ? SlackShape::kAverage
                : form == "v2a" ? SlackShape::kBiggest
                                : SlackShape::kEnvelope;
  const Sizing got = SizeSlack(input);
  EXPECT_EQ(got.extra, ShapeOf(expect["extra"]));
  EXPECT_EQ(got.granularity, expect["granularity_used"].as<std::int64_t>());
  EXPECT_EQ(got.Total(), ShapeOf(expect["total"]));
  if (form == "v1") {
    EXPECT_EQ(got.size, SizeOf(expect, "size"));
    EXPECT_EQ(got.count, expect["count"].as<std::int64_t>());
    return;
  }
  EXPECT_THAT(got.special, ElementsAreArray(ShapesOf(expect["special"])));
  EXPECT_EQ(got.remaining, ShapeOf(expect["remaining"]));
  EXPECT_EQ(got.size, SizeOf(expect, "standard_size"));
  EXPECT_EQ(got.count, expect["standard_count"].as<std::int64_t>());
  EXPECT_EQ(got.count + static_cast<std::int64_t>(got.special.size()),
            expect["placeholder_count"].as<std::int64_t>());
}

TEST(SizingTest, EveryVector) {
  if (!HasSlackVectors()) GTEST_SKIP() << "no slack vectors beside the project";
  int forms = 0;
  for (const YAML::Node& v : SlackVectors("sizing")) {
    for (const auto& form : v["expect"]) {
      CheckSizing(v, form.first.as<std::string>());
      ++forms;
    }
  }
  EXPECT_GE(forms, 36);
}

// Nodes once enough have joined for what is used and for the slack; absent: it never ends.
std::optional<std::int64_t> Fixpoint(const YAML::Node& v, bool capacity_base) {
  const auto used = v["used_cpu_m"].as<std::int64_t>();
  const auto node = v["node_cpu_m"].as<std::int64_t>();
  std::int64_t nodes = (used + node - 1) / node;
  while (nodes < 100'000) {
    const std::int64_t base = capacity_base ? nodes * node : used;
    const std::int64_t wanted =
        (used + PartOf(base, v["rate_ppm"].as<std::int64_t>()) + node - 1) / node;
    if (wanted <= nodes) return nodes;
    nodes = wanted;
  }
  return std::nullopt;
}

TEST(SizingTest, EveryFixpoint) {
  if (!HasSlackVectors()) GTEST_SKIP() << "no slack vectors beside the project";
  for (const YAML::Node& v : SlackVectors("feedback")) {
    SCOPED_TRACE(YAML::Dump(v));
    for (const bool capacity : {true, false}) {
      const auto wanted =
          v[capacity ? "fixpoint_nodes_capacity_base" : "fixpoint_nodes_requested_base"]
              .as<std::string>();
      const std::optional<std::int64_t> got = Fixpoint(v, capacity);
      EXPECT_EQ(got ? std::to_string(*got) : "diverges", wanted);
    }
  }
}

// 10 nodes of 4000 m ask for 800 m pieces; with an eleventh of 3000 m the average is
// 43000 / 11 = 3909 m and a new piece would be 782 m, less than a tenth below.
TEST(SizingTest, ASizeThatHardlyMovesStays) {
  std::vector<Shape> nodes(10, kNode);
  nodes.push_back({3000, 16384});
  SizingInput input{
      .nodes = nodes, .base = {20000, 40960}, .rate_ppm = 200'000, .keep = Shape{800, 3277}};
  EXPECT_EQ(SizeSlack(input).size, (Shape{800, 3277}));
  input.keep.reset();
  EXPECT_EQ(SizeSlack(input).size, (Shape{782, 3277}));
  input.keep = Shape{900, 3277};  // 900 − 782 is more than a tenth of 900
  EXPECT_EQ(SizeSlack(input).size, (Shape{782, 3277}));
}

// Pods of 3000 and 2000 m with 1 and 4 GiB: the first two cover neither each other; the third is
// covered by both.
TEST(SizingTest, ShapesThatNoNodeHoldsAreNoPlaceholders) {
  const std::vector<Shape> nodes(2, kNode);
  const std::vector<Shape> pods{{9000, 1024}, {3000, 1024}, {2000, 20000}, {500, 512}};
  SizingInput input{.nodes = nodes, .pods = pods, .base = {8000, 32768}, .rate_ppm = 500'000};
  input.shape = SlackShape::kEnvelope;
  EXPECT_THAT(SizeSlack(input).special, ElementsAre(Shape{3000, 1024}));
  input.shape = SlackShape::kBiggest;
  EXPECT_THAT(SizeSlack(input).special, IsEmpty());
}

// 1000 pieces of 200 m are wanted and 2 allowed: a node of 4000 m holds 20 of them in one.
TEST(SizingTest, PiecesAreMergedNoFurtherThanANodeHolds) {
  const std::vector<Shape> nodes(10, kNode);
  const std::vector<Shape> pods{{200, 512}};
  SizingInput input{
      .nodes = nodes, .pods = pods, .base = {200'000, 512'000}, .rate_ppm = 1'000'000};
  input.shape = SlackShape::kEnvelope;
  input.max_placeholders = 2;
  const Sizing got = SizeSlack(input);
  EXPECT_EQ(got.size, (Shape{4000, 10240}));
  EXPECT_EQ(got.count, 2);
  EXPECT_TRUE(got.capped);
}

TEST(ShapeTest, SumsAndProductsStopAtTheEndOf64Bits) {
  EXPECT_EQ((Shape{INT64_MAX, 1} + Shape{1, 2}), (Shape{INT64_MAX, 3}));
  EXPECT_EQ((Shape{1, INT64_MAX - 1} + Shape{2, 1}), (Shape{3, INT64_MAX}));
  EXPECT_EQ((Shape{INT64_MAX / 2, INT64_MAX / 2 + 1} * 2), (Shape{INT64_MAX - 1, INT64_MAX}));
}

// Three nodes have 1.5 × (2^63 − 1) m together, which counts as M = 2^63 − 1. A piece is
// ceil(M / 15) = 614891469123651721 m and ceil(3 × 4096 / 15) = 820 MiB; ceil(M / piece) and
// ceil(12288 / 820) are both 15. 15 pieces have 8 m more than M, which no number says, and 12300
// MiB.
TEST(SizingTest, HugeNodesGiveNoWrongSizes) {
  const std::vector<Shape> nodes(3, Shape{INT64_MAX / 2, 4096});
  const Sizing got =
      SizeSlack({.nodes = nodes, .base = SumOf(nodes), .rate_ppm = 1'000'000, .granularity = 5});
  EXPECT_EQ(got.extra, (Shape{INT64_MAX, 12288}));
  EXPECT_EQ(got.size, (Shape{614'891'469'123'651'721, 820}));
  EXPECT_EQ(got.count, 15);
  EXPECT_EQ(got.Total(), (Shape{INT64_MAX, 12300}));
}

// 10 × (2^63 − 1) pieces count as 2^63 − 1: of 40000 m and 163840 MiB each gets ceil = 1.
TEST(SizingTest, HugeGranularityGivesNoWrongSizes) {
  const std::vector<Shape> nodes(10, kNode);
  const Sizing got = SizeSlack(
      {.nodes = nodes, .base = {4000, 0}, .rate_ppm = 1'000'000, .granularity = INT64_MAX});
  EXPECT_EQ(got.size, (Shape{1, 1}));
  EXPECT_EQ(got.count, 4000);
}

TEST(SizingTest, PartsAreExactForHugeAmounts) {
  EXPECT_EQ(PartOf(INT64_MAX, 1'000'000), INT64_MAX);
  EXPECT_EQ(PartOf(INT64_MAX, 2'000'000), INT64_MAX);
  EXPECT_EQ(PartOf(1, 1), 1);
  EXPECT_EQ(PartOf(100'000, 70'000), 7000);
}

}  // namespace
}  // namespace batholith
