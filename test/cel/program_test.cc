#include "cel/program.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "devices/device_selector.h"
#include "test/cel/sample_device.h"

namespace batholith::cel {
namespace {

Outcome Evaluated(const std::string& text, std::uint64_t limit = kSelectorCostLimit) {
  const auto program = Program::Compile(text, {});
  EXPECT_TRUE(program) << text << ": " << program.error().message;
  return program ? program->Evaluate({}, limit) : Outcome{};
}

std::string Refusal(const std::string& text) {
  const auto program = Program::Compile(text, {});
  return program ? "" : program.error().message;
}

std::string Repeated(const std::string& text, int times) {
  std::string out;
  for (int t = 0; t < times; ++t) out += text;
  return out;
}

TEST(CelCost, is_counted_as_cel_go_counts_it) {
  // A name and a field cost 1 each, an operator 1, a list 10, ten characters of a text 1.
  const std::vector<std::pair<std::string, std::uint64_t>> kCosts{
      {"1 + 2 == 3", 2},                     // + and ==
      {"[1, 2, 3] == [1, 2, 3]", 1},         // ceil(3 / 10); lists of constants are free
      {"[1 + 1] == [2]", 12},                // 10 for the list, +, ==
      {"'0123456789x'.startsWith('0')", 2},  // ceil(11 / 10)
      {"'aaaa'.matches('a{1,8}')", 2},       // ceil(5 / 10) * ceil(6 / 4)
      {"[1, 2, 3].all(x, x > 0)", 16},       // 3 * (2 condition + 1 + 2) + 1
      {"1 in [1, 2]", 0},                    // looked up in a constant
      {"has({'a': 1}.a)", 1},                // the field, and nothing for has itself
      {"true ? 1 == 1 : 2 == 1", 1},         // one branch
      {"lists.range(20).size() == 20", 33},  // 20 + 1 + 10, size, ==
  };
  for (const auto& [text, cost] : kCosts) EXPECT_EQ(Evaluated(text).cost, cost) << text;
}

TEST(CelCost, beyond_the_limit_nothing_absorbs_the_error) {
  // 16 is one more than the limit: the loop is cut off, and || cannot save it.
  const std::string text = "[1, 2, 3].all(x, x > 0) || true";
  EXPECT_TRUE(Evaluated(text, 16).value.is_true());
  const Outcome outcome = Evaluated(text, 15);
  ASSERT_TRUE(outcome.value.is_error());
  EXPECT_EQ(outcome.value.error().failure, Failure::kCostLimit);
}

TEST(CelLimits, nesting_ends_with_a_message) {
  EXPECT_EQ(Refusal(Repeated("(", 249) + "true" + Repeated(")", 249)), "");
  EXPECT_NE(Refusal(Repeated("(", 250) + "true" + Repeated(")", 250)), "");
  EXPECT_NE(Refusal(Repeated("(", 90'000)), "");
  EXPECT_EQ(Refusal("1" + Repeated("+1", 249) + " > 0"), "");
  EXPECT_NE(Refusal("1" + Repeated("+1", 250) + " > 0"), "");
  EXPECT_EQ(Refusal("true" + Repeated(" && true", 5'000)), "");
  EXPECT_EQ(Refusal(Repeated("!", 5'000) + "true"), "");
}

TEST(CelLimits, long_and_broken_texts_are_refused) {
  EXPECT_NE(Refusal(std::string(100'001, ' ') + "1"), "");
  EXPECT_NE(Refusal("'\xff'"), "");
  EXPECT_NE(Refusal(""), "");
  EXPECT_NE(Refusal(Repeated("[1].all(x, ", 100)), "");
}

TEST(CelLimits, macros_that_repeat_their_target_cannot_grow_without_end) {
  // Each optMap has its target twice: forty of them would be 2^40 nodes.
  EXPECT_NE(Refusal("optional.of(1)" + Repeated(".optMap(x, x)", 40)), "");
}

TEST(CelLimits, values_and_types_that_double_end_with_an_error) {
  std::string lists = "a.size() > 0";
  std::string types = "a == a";
  for (int depth = 0; depth < 100; ++depth) {
    lists = "cel.bind(a, a + a, " + lists + ")";
    types = "cel.bind(a, {'k': [a, a]}, " + types + ")";
  }
  const Outcome doubled = Evaluated("cel.bind(a, [1], " + lists + ")");
  ASSERT_TRUE(doubled.value.is_error());
  EXPECT_EQ(doubled.value.error().failure, Failure::kCostLimit);
  const auto program = Program::Compile("cel.bind(a, [1], " + types + ")", {});
  // The types are too large already, or the values are.
  EXPECT_TRUE(!program || program->Evaluate({}).value.is_error());
}

TEST(CelNames, what_this_build_does_not_have_is_named) {
  EXPECT_NE(Refusal("dyn(1).path('a')").find("path() is not supported by this build"),
            std::string::npos);
  EXPECT_NE(Refusal("timestamp(0).getHours('Europe/Berlin') == 1").find("time zones by name"),
            std::string::npos);
  EXPECT_NE(Refusal("google.protobuf.Int64Value{value: 1} == 1").find("messages"),
            std::string::npos);
  EXPECT_NE(Refusal("math.greatest(1, 2) == 2"), "");
}

TEST(CelProgram, evaluations_run_side_by_side) {
  const auto selector = DeviceSelector::Compile(
      "device.attributes['acc.example.com'].exists(n, n.matches('^c.*s$')) && "
      "device.capacity['acc.example.com'].memory.isGreaterThan(quantity('1Gi'))");
  ASSERT_TRUE(selector);
  const Device device = SampleDevice();
  std::vector<int> matched(4);
  std::vector<std::thread> threads;
  for (int& count : matched) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round)
        count += selector->Matches(kSampleDriver, device).value_or(false) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(matched, std::vector<int>(4, 200));
}

}  // namespace
}  // namespace batholith::cel
