#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "devices/device_selector.h"
#include "test/cel/sample_device.h"
#include "test/property/property_env.h"

// Random expressions, most of which are well typed: whatever they are, they are refused or
// answered, and the language's laws hold.
namespace batholith {
namespace {

class RandomExpression {
 public:
  explicit RandomExpression(std::uint64_t seed) : random_(seed) {}

  std::string Bool(int depth) {
    if (depth == 0) return Pick({"true", "false", kAttributes + ".ready"});
    switch (Below(9)) {
      case 0:
        return "(" + Bool(depth - 1) + Pick({" && ", " || "}) + Bool(depth - 1) + ")";
      case 1:
        return "!" + Bool(depth - 1);
      case 2:
        return "(" + Int(depth - 1) + Pick({" < ", " == ", " >= ", " != "}) + Int(depth - 1) + ")";
      case 3:
        return List(depth - 1) + "." + Pick({"all", "exists", "exists_one"}) + "(x, " +
               Bool(depth - 1) + " || x > " + Int(depth - 1) + ")";
      case 4:
        return "(" + Int(depth - 1) + " in " + List(depth - 1) + ")";
      case 5:
        return Text(depth - 1) + Pick({".contains(", ".startsWith(", ".matches("}) +
               Text(depth - 1) + ")";
      case 6:
        return "has(" + kAttributes + "." + Pick({"cores", "nothere"}) + ")";
      case 7:
        return "(" + Bool(depth - 1) + " ? " + Bool(depth - 1) + " : " + Bool(depth - 1) + ")";
      default:
        return "(" + Text(depth - 1) + " == " + Text(depth - 1) + ")";
    }
  }

 private:
  std::string Int(int depth) {
    if (depth == 0) return Pick({"0", "1", "-3", "9223372036854775807"});
    switch (Below(6)) {
      case 0:
        return "(" + Int(depth - 1) + Pick({" + ", " - ", " * ", " / ", " % "}) + Int(depth - 1) +
               ")";
      case 1:
        return "size(" + List(depth - 1) + ")";
      case 2:
        return List(depth - 1) + "[" + Int(depth - 1) + "]";
      case 3:
        return List(depth - 1) + "[?" + Int(depth - 1) + "].optMap(v, v + 1).orValue(" +
               Int(depth - 1) + ")";
      case 4:
        return "cel.bind(b, " + Int(depth - 1) + ", b * " + Int(depth - 1) + ")";
      default:
        return "int(" + Text(depth - 1) + ")";
    }
  }

  std::string List(int depth) {
    if (depth == 0) return Pick({"[]", "[1]", "[3, 1, 2]"});
    switch (Below(4)) {
      case 0:
        return "(" + List(depth - 1) + " + " + List(depth - 1) + ")";
      case 1:
        return List(depth - 1) + ".map(x, x - " + Int(depth - 1) + ")";
      case 2:
        return List(depth - 1) + ".filter(x, " + Bool(depth - 1) + ")";
      default:
        return List(depth - 1) + Pick({".sort()", ".reverse()", ".distinct()"});
    }
  }

  std::string Text(int depth) {
    if (depth == 0) return Pick({"''", "'a'", "'12'", "device.driver", "'[a-z]+'"});
    switch (Below(4)) {
      case 0:
        return "(" + Text(depth - 1) + " + " + Text(depth - 1) + ")";
      case 1:
        return "string(" + Int(depth - 1) + ")";
      case 2:
        return Text(depth - 1) + ".substring(" + Int(depth - 1) + ")";
      default:
        return Text(depth - 1) + ".replace(" + Text(depth - 1) + ", " + Text(depth - 1) + ")";
    }
  }

  std::string Pick(const std::vector<std::string>& texts) { return texts[Below(texts.size())]; }
  std::size_t Below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  const std::string kAttributes = "device.attributes['acc.example.com']";
  std::mt19937_64 random_;
};

// "true", "false", "refused" or the reason of a failure.
std::string Answer(const std::string& expression, const Device& device) {
  const auto selector = DeviceSelector::Compile(expression);
  if (!selector) return "refused";
  const auto matches = selector->Matches(kSampleDriver, device);
  if (matches) return *matches ? "true" : "false";
  return std::string(ReasonName(matches.error()));
}

void Laws(std::uint64_t seed) {
  static const Device kDevice = SampleDevice();
  RandomExpression random(seed);
  const std::string a = random.Bool(3);
  const std::string b = random.Bool(3);
  const std::string of_a = Answer(a, kDevice);
  const std::string of_b = Answer(b, kDevice);
  EXPECT_EQ(of_a, Answer(a, kDevice)) << a;
  EXPECT_EQ(of_a, Answer("((" + a + "))", kDevice)) << a;
  if (of_a == "refused" || of_b == "refused") return;
  EXPECT_EQ(of_a, Answer("true ? " + a + " : " + b, kDevice)) << a;
  // The deciding value wins on either side; without one, the first failure does.
  const auto logic = [&](const std::string& decides) {
    if (of_a == decides || of_b == decides) return decides;
    if (of_a != "true" && of_a != "false") return of_a;
    return of_b;
  };
  EXPECT_EQ(Answer("(" + a + ") && (" + b + ")", kDevice), logic("false")) << a << "\n" << b;
  EXPECT_EQ(Answer("(" + a + ") || (" + b + ")", kDevice), logic("true")) << a << "\n" << b;
  const std::string negated = of_a == "true" ? "false" : of_a == "false" ? "true" : of_a;
  EXPECT_EQ(Answer("!(" + a + ")", kDevice), negated) << a;
}

TEST(SelectorProperty, random_expressions_obey_the_laws_of_the_language) {
  property::ForEachSeed(Laws);
}

}  // namespace
}  // namespace batholith
