#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "codec/json/text.h"

namespace batholith {
namespace {

TEST(JsonText, WritesFractionsPlainly) {
  EXPECT_EQ(JsonText({{"share", 0.5}, {"none", 0.0}, {"third", 1.0 / 3}, {"n", 3}}),
            R"({"share":0.5,"none":0,"third":0.3333333333333333,"n":3})");
}

TEST(JsonText, OtherwiseSaysWhatBoostSays) {
  const std::string text = R"({"a":[1,"x\"y\n",null,true,{}],"k\"":{"b":[]},"":-7})";
  EXPECT_EQ(JsonText(boost::json::parse(text)), text);
}

}  // namespace
}  // namespace batholith
