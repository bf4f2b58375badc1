#include "framework/class_ranking.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace batholith {
namespace {

struct Entry {
  Place place = Place::kNone;
  double score = 0;
};

// The best by looking at all: place first, then score, then the lowest index.
NodeIndex BestOf(const std::vector<Entry>& all) {
  NodeIndex best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].place == Place::kNone) continue;
    const Entry* now = best.is_none() ? nullptr : &all[best.value()];
    if (now == nullptr || all[i].place > now->place ||
        (all[i].place == now->place && all[i].score > now->score))
      best = NodeIndex(i);
  }
  return best;
}

// `part`: what scores are multiples of.
void CompareWithAll(std::size_t nodes, double part, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ClassRanking ranking(nodes);
  std::vector<Entry> all(nodes);
  for (int step = 0; step < 400; ++step) {
    const std::size_t node = random() % nodes;
    all[node] = {static_cast<Place>(random() % 3), part * static_cast<double>(random() % 40)};
    ranking.Set(NodeIndex(node), all[node].place, all[node].score);
    if (step % 3 != 0) continue;
    const ClassRanking::Best best = ranking.Find();
    ASSERT_EQ(best.node, BestOf(all)) << "step " << step << ", seed " << seed;
    if (best.node.is_none()) continue;
    ASSERT_EQ(best.place, all[best.node.value()].place);
  }
}

TEST(ClassRanking, finds_what_looking_at_all_finds) {
  for (const std::size_t nodes : {1, 2, 63, 64, 65, 300}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CompareWithAll(nodes, 1, seed);     // whole scores
      CompareWithAll(nodes, 0.25, seed);  // some are not
      CompareWithAll(nodes, -1, seed);
    }
  }
}

TEST(ClassRanking, keeps_its_entries_when_a_score_is_no_whole_number) {
  ClassRanking ranking(3);
  ranking.Set(NodeIndex(0), Place::kReserved, 900);
  ranking.Set(NodeIndex(1), Place::kNow, 7);
  EXPECT_EQ(ranking.Find().node, NodeIndex(1));
  ranking.Set(NodeIndex(2), Place::kNow, 7.5);
  EXPECT_EQ(ranking.Find().node, NodeIndex(2));
  ranking.Set(NodeIndex(2), Place::kNone, 0);
  EXPECT_EQ(ranking.Find().node, NodeIndex(1));
  ranking.Set(NodeIndex(1), Place::kNone, 0);
  EXPECT_EQ(ranking.Find().node, NodeIndex(0));
  EXPECT_EQ(ranking.Find().place, Place::kReserved);
}

TEST(ClassRanking, has_no_best_of_no_nodes) {
  EXPECT_TRUE(ClassRanking(0).Find().node.is_none());
  EXPECT_TRUE(ClassRanking(5).Find().node.is_none());
}

}  // namespace
}  // namespace batholith
