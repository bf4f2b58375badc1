#include "framework/handover.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace batholith {
namespace {

struct Shapes {
  std::vector<std::string> names;
};

TEST(Handover, what_is_left_is_found_by_its_type) {
  Handover handover;
  EXPECT_EQ(handover.Find<Shapes>(), nullptr) << "nobody has left any";
  handover.Leave(Shapes{{"a", "b"}});
  handover.Leave(std::string("of another type"));
  ASSERT_NE(handover.Find<Shapes>(), nullptr);
  EXPECT_EQ(handover.Find<Shapes>()->names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(*handover.Find<std::string>(), "of another type");
}

TEST(Handover, the_last_value_of_a_type_counts) {
  Handover handover;
  handover.Leave(Shapes{{"a"}});
  handover.Leave(Shapes{{"b"}});
  EXPECT_EQ(handover.Find<Shapes>()->names, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace batholith
