#include <gtest/gtest.h>

#include "sim/scenario/scenario.h"
#include "test/cost.h"
#include "test/hostile_yaml.h"

namespace batholith {
namespace {

// What a scenario says, or what is wrong with it.
Cost CostOfParsing(std::string_view name, const std::string& text) {
  return ExpectBounded(name, text.size(), [&text] {
    const auto scenarios = ParseScenarios(text, "s.yaml");
    return scenarios ? std::string("is a scenario") : scenarios.error().message;
  });
}

TEST(HostileScenario, is_refused_with_its_place_in_time_and_memory_of_its_size) {
  for (const std::size_t size : {std::size_t{64} << 10U, std::size_t{256} << 10U}) {
    for (const auto& [name, text] : HostileYamls(size)) {
      const Cost cost = CostOfParsing(name, text);
      EXPECT_TRUE(cost.said.starts_with("s.yaml: ")) << name << ": " << cost.said.substr(0, 300);
    }
  }
}

TEST(HostileScenario, a_small_text_makes_no_large_cluster) {
  const std::string head = "apiVersion: batholith.dev/v1\nkind: Scenario\nspec:\n";
  const std::string job = "  - {name: j, tasks: 20000}\n";
  const std::string node = "{apiVersion: v1, kind: Node, metadata: {name: n}}";
  const std::vector<std::pair<std::string, std::string>> rows{
      {head + "  jobs:\n  - {name: a, tasks: 20001}\n", "20001 is out of range 0 to 20000"},
      {head + "  jobs:\n" + UpTo(100'000, job), "spec.jobs[2]: makes more than 50000 objects"},
      {head + "  objects: [" + node + "]\n  replicate: {Node/n: 20001}\n",
       "20001 is out of range 0 to 20000"},
      {head + "  objects: [" + UpTo(1'000, node + ", ") + "]\n  replicate: {Node/n: 20000}\n",
       "makes more than 50000 objects"},
  };
  for (const auto& [text, expected] : rows) {
    const Cost cost = CostOfParsing(expected, text);
    EXPECT_TRUE(cost.said.contains(expected)) << cost.said;
  }
}

}  // namespace
}  // namespace batholith
