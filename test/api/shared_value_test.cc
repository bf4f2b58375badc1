#include "api/shared_value.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace batholith {
namespace {

using Words = std::map<std::string, std::string, std::less<>>;

TEST(Shared, copies_refer_to_one_value_until_one_is_written_to) {
  Shared<Words> one = {{"a", "1"}, {"b", "2"}};
  Shared<Words> two = one;
  EXPECT_EQ(&*one, &*two);
  EXPECT_TRUE(one.IsShared());
  two["b"] = "3";
  EXPECT_EQ(*one, (Words{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(*two, (Words{{"a", "1"}, {"b", "3"}}));
  EXPECT_FALSE(one.IsShared());
  const Words* before = &*two;
  two["c"] = "4";
  EXPECT_EQ(&*two, before) << "nobody else refers to it: written in place";
}

TEST(Shared, equal_values_are_equal_wherever_they_are) {
  const Shared<Words> one = {{"a", "1"}};
  const Shared<Words> other = {{"a", "1"}};
  EXPECT_EQ(one, other);
  EXPECT_EQ(one, (Words{{"a", "1"}}));
  EXPECT_NE(one, Shared<Words>());
  EXPECT_EQ(Shared<Words>(Words()), Shared<Words>()) << "empty is empty, however it came about";
}

TEST(Shared, nothing_costs_nothing_and_reads_as_empty) {
  Shared<Words> none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.find("a"), none.end());
  EXPECT_EQ(none.erase("a"), 0U);
  EXPECT_EQ(none.begin(), none.end());
  none["a"] = "1";
  EXPECT_EQ(none.size(), 1U);
  none.clear();
  EXPECT_TRUE(none.empty());
}

TEST(Shared, a_moved_value_leaves_nothing_behind) {
  Shared<Words> one = {{"a", "1"}};
  const Words* value = &*one;
  const Shared<Words> two = std::move(one);
  EXPECT_EQ(&*two, value);
  EXPECT_TRUE(one.empty());  // NOLINT(bugprone-use-after-move): what is asked here
}

TEST(Shared, copies_on_several_threads_are_written_to_apart) {
  const Shared<Words> one = {{"a", "1"}};
  std::vector<Shared<Words>> copies(8, one);
  {
    std::vector<std::jthread> threads;
    for (Shared<Words>& copy : copies)
      threads.emplace_back([&copy] { copy["a"] += std::to_string(copy.size()); });
  }
  for (const Shared<Words>& copy : copies) EXPECT_EQ(copy.at("a"), "11");
  EXPECT_EQ(one.at("a"), "1");
}

}  // namespace
}  // namespace batholith
