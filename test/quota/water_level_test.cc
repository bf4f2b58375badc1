#include "quota/water_level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "test/quota/quota_bench.h"

namespace batholith {
namespace {

std::vector<std::int64_t> Filled(std::int64_t total, std::vector<LevelChild> children) {
  FillLevel(total, children);
  std::vector<std::int64_t> out;
  for (const LevelChild& c : children) out.push_back(c.runtime);
  return out;
}

std::vector<std::int64_t> Scaled(std::int64_t total, std::vector<ScaledMin> children) {
  ScaleMins(total, children);
  std::vector<std::int64_t> out;
  for (const ScaledMin& c : children) out.push_back(c.scaled);
  return out;
}

std::int64_t Sum(const std::vector<std::int64_t>& amounts) {
  return std::accumulate(amounts.begin(), amounts.end(), std::int64_t{0});
}

class WaterLevelVectors : public QuotaVectorTest {};

TEST_F(WaterLevelVectors, one_level) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "runtime_level")) {
    std::map<std::string, LevelChild> by_name;  // children stand in name order
    for (const YAML::Node& c : v.inputs["children"]) {
      by_name[TextOf(c["name"])] = {c["weight"].as<std::int64_t>(), c["request"].as<std::int64_t>(),
                                    c["min"].as<std::int64_t>(), c["guarantee"].as<std::int64_t>(),
                                    c["allow_lent"].as<bool>()};
    }
    std::vector<LevelChild> children;
    for (const auto& [name, child] : by_name) children.push_back(child);
    const auto runtimes = Filled(v.inputs["total"].as<std::int64_t>(), children);
    std::size_t i = 0;
    for (const auto& [name, child] : by_name) {
      EXPECT_EQ(runtimes[i++], v.expected["runtime"][name].as<std::int64_t>()) << v.id << name;
    }
    if (!v.expected["sum"]) continue;
    EXPECT_EQ(Sum(runtimes), v.expected["sum"].as<std::int64_t>()) << v.id;
  }
}

TEST_F(WaterLevelVectors, minimums_shrink) {
  const ResourceSchema schema;
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "scale_min")) {
    const QuotaList total = QuotaList::From(schema, AmountsOf(v.inputs["total"]));
    for (std::size_t r = 0; r < schema.size(); ++r) {
      std::vector<ScaledMin> children;
      for (const YAML::Node& c : v.inputs["children"]) {
        children.push_back(
            {QuotaList::From(schema, AmountsOf(c["min"]))[r], c["scale"].as<bool>()});
      }
      const auto scaled = Scaled(total[r], children);
      for (std::size_t i = 0; i < children.size(); ++i) {
        const YAML::Node expected = v.expected["scaled"][TextOf(v.inputs["children"][i]["name"])];
        const std::int64_t amount =
            expected.IsNull() ? children[i].min : QuotaList::From(schema, AmountsOf(expected))[r];
        EXPECT_EQ(scaled[i], amount) << v.id << " child " << i << " " << schema.name(r);
      }
    }
  }
}

// Nothing is kept between two calls: the sums show in where scaling begins and where it has taken
// everything.
TEST_F(WaterLevelVectors, sums_of_minimums) {
  for (const QuotaVector& v : LoadQuotaVectors("koordinator", "scale_min_bookkeeping")) {
    std::map<std::string, std::map<std::string, ScaledMin>> by_parent;
    for (std::size_t op = 0; op < v.inputs["ops"].size(); ++op) {
      const YAML::Node& in = v.inputs["ops"][op];
      auto& children = by_parent[TextOf(in["parent"])];
      children.erase(TextOf(in["child"]));
      if (!in["remove"]) {
        children[TextOf(in["child"])] = {in["min"].as<std::int64_t>(), in["scale"].as<bool>()};
      }
      for (const auto& entry : v.expected["after"][op]) {
        const auto scalable = entry.second["scalable"].as<std::int64_t>();
        const auto fixed = entry.second["unscalable"].as<std::int64_t>();
        std::vector<ScaledMin> level;
        for (const auto& [name, child] : by_parent[entry.first.as<std::string>()])
          level.push_back(child);
        EXPECT_EQ(Sum(Scaled(fixed + scalable, level)), fixed + scalable) << v.id << " " << op;
        EXPECT_EQ(Sum(Scaled(fixed, level)), fixed) << v.id << " " << op;
        if (scalable == 0) continue;
        EXPECT_LT(Sum(Scaled(fixed + scalable - 1, level)), fixed + scalable) << v.id << op;
      }
    }
  }
}

// Levels as they may be, small numbers that collide often.
std::vector<LevelChild> RandomLevel(std::mt19937_64& random) {
  const auto up_to = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % (n + 1)); };
  std::vector<LevelChild> children(1 + random() % 6);
  for (LevelChild& c : children) {
    c = {up_to(4), up_to(30), up_to(10), up_to(3) == 0 ? up_to(12) : 0, up_to(3) != 0};
  }
  return children;
}

TEST(FillLevel, gives_away_what_there_is_and_nobody_more_than_asked) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<LevelChild> children = RandomLevel(random);
    const auto total = static_cast<std::int64_t>(random() % 80);
    const auto runtimes = Filled(total, children);
    std::int64_t floors = 0;  // what everybody has before anything is shared
    std::int64_t demand = 0;  // with what those that weigh something ask for beyond it
    for (std::size_t i = 0; i < children.size(); ++i) {
      const LevelChild& c = children[i];
      const std::int64_t floor = std::max(c.min, c.guarantee);
      const std::int64_t first = c.lends ? std::min(floor, c.request) : floor;
      EXPECT_GE(runtimes[i], first) << round;
      EXPECT_LE(runtimes[i], c.lends ? c.request : std::max(c.request, floor)) << round;
      floors += first;
      demand += c.weight > 0 ? std::max(c.request, first) : first;
    }
    EXPECT_EQ(Sum(runtimes), std::max(floors, std::min(total, demand))) << round;
  }
}

// Left-over units go by name, so in a tree neither the order of the quotas nor that of the calls
// matters.
TEST(RuntimeTree, does_not_depend_on_the_order) {
  std::mt19937_64 random(11);
  constexpr std::size_t kCpu = ResourceSchema::kCpu;
  for (int round = 0; round < 500; ++round) {
    const std::vector<LevelChild> children = RandomLevel(random);
    ResourceVector total;
    total[kCpu] = static_cast<std::int64_t>(random() % 80);
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::int64_t> before;
    for (int time = 0; time < 2; ++time) {
      std::vector<TreeQuota> quotas;
      for (const std::size_t i : order) {
        TreeQuota& quota = quotas.emplace_back();
        quota.name = "q" + std::to_string(i);
        quota.min.Set(kCpu, children[i].min);
        quota.weight.Set(kCpu, children[i].weight);
        quota.lends = children[i].lends;
      }
      RuntimeTree tree(quotas, {.dimensions = 1});
      tree.SetTotal(total);
      for (std::size_t q = order.size(); q-- > 0;) {
        ResourceVector request;
        request[kCpu] = children[order[q]].request;
        tree.AddRequest(QuotaIndex(q), request);
      }
      std::vector<std::int64_t> runtimes(children.size());
      for (std::size_t q = 0; q < order.size(); ++q)
        runtimes[order[q]] = tree.runtime(QuotaIndex(q))[kCpu];
      if (time == 0) before = runtimes;
      EXPECT_EQ(runtimes, before) << round;
      std::ranges::shuffle(order, random);
    }
  }
}

TEST(FillLevel, shares) {
  struct Row {
    std::string name;
    std::int64_t total;
    std::vector<LevelChild> children;  // weight, request, min, guarantee, lends
    std::vector<std::int64_t> runtimes;
  };
  const std::vector<Row> rows{
      {"nobody", 10, {}, {}},
      {"less than nothing is there", -5, {{1, 9, 0}, {1, 9, 2}}, {0, 2}},
      {"equal remainders: the first by name", 10, {{1, 9, 0}, {1, 9, 0}, {1, 9, 0}}, {4, 3, 3}},
      {"minimums beyond the total stand", 4, {{1, 9, 3}, {1, 9, 3}}, {3, 3}},
      {"what one gives back goes to the others", 12, {{1, 2, 0}, {1, 9, 0}}, {2, 9}},
      {"who does not lend keeps its floor", 10, {{1, 0, 4, 0, false}, {1, 9, 0}}, {4, 6}},
      {"weight 0 gets its floor only", 10, {{0, 9, 1}, {2, 5, 0}}, {1, 5}},
      {"products beyond 64 bits",
       INT64_MAX,
       {{INT64_MAX, INT64_MAX, 0}, {INT64_MAX, INT64_MAX, 0}},
       {INT64_MAX / 2 + 1, INT64_MAX / 2}},
  };
  for (const Row& row : rows) EXPECT_EQ(Filled(row.total, row.children), row.runtimes) << row.name;
}

TEST(ScaleMins, never_promises_more_than_there_is_and_does_not_depend_on_the_order) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 2000; ++round) {
    std::vector<ScaledMin> children(1 + random() % 6);
    for (ScaledMin& c : children) c = {static_cast<std::int64_t>(random() % 20), random() % 4 != 0};
    const auto total = static_cast<std::int64_t>(random() % 60);
    const auto scaled = Scaled(total, children);
    std::int64_t fixed = 0;
    std::int64_t all = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!children[i].may_scale) fixed += children[i].min;
      all += children[i].min;
      EXPECT_LE(scaled[i], children[i].min) << round;
      EXPECT_GE(scaled[i], children[i].may_scale ? 0 : children[i].min) << round;
    }
    if (all <= total) {
      EXPECT_EQ(Sum(scaled), all) << round;
    } else {
      EXPECT_LE(Sum(scaled), std::max(total, fixed)) << round;
      // Rounding loses less than a unit a child.
      EXPECT_GT(Sum(scaled) + static_cast<std::int64_t>(children.size()), std::max(total, fixed))
          << round;
    }
    std::ranges::reverse(children);
    auto reversed = Scaled(total, children);
    std::ranges::reverse(reversed);
    EXPECT_EQ(reversed, scaled) << round;
  }
}

}  // namespace
}  // namespace batholith
