#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "codec/yaml.h"
#include "test/cost.h"

namespace batholith {
namespace {

// Nothing but brackets would take ten times the length of the text, so it ends while it is read.
TEST(DenseInput, is_refused_before_it_is_built) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20U;
  const std::string pod = R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, )";
  const std::string list = R"({"apiVersion": "v1", "kind": "List", "items": [)";
  struct Row {
    std::string_view expected;
    std::string head;
    std::string_view part;  // as often as it takes
    std::size_t size = 32 * kMegabyte;
  };
  const Row rows[] = {
      {"Pod p: spec.topologySpreadConstraints.topologyKey: makes the object too long, at most 32 "
       "MB may be",
       pod + R"("spec": {"topologySpreadConstraints": [)",
       R"({"topologyKey": "the.name/of.a.zone"},)"},
      {"Pod p: spec.containers: too many values for the length of the text",
       pod + R"("spec": {"containers": [)", "{},"},
      {"Pod p: spec.schedulingGates: too many values for the length of the text",
       list + pod + R"("spec": {"schedulingGates": [)", "0,"},
      {"Pod p: spec.nodeName: makes the object too long", pod + R"("spec": {"nodeName": ")", "x",
       40 * kMegabyte},
      {"items: too many values for the length of the text", list, "[],"},
      {"items: too many values for the length of the text", list, "{},"},
      {"line 1: too many values for the length of the text", "", "[]"},
      {"line 1: more than 3097152 values", "a: [", "0,"},
      {"more than 3097152 values", "- ", "[]\n- "},
      {"line 1: more than 3097152 values", "a: {b: [", "{},"},
  };
  for (const Row& row : rows) {
    const Cost cost = ExpectBounded(row.head + std::string(row.part), row.size, [&] {
      std::string text = row.head;
      text.reserve(row.size + 100);
      while (text.size() < row.size) text += row.part;
      const auto documents = ParseDocuments(text, "f.yaml");
      return documents ? "no error" : documents.error().message;
    });
    EXPECT_NE(cost.said.find(row.expected), std::string::npos) << cost.said;
  }
}

}  // namespace
}  // namespace batholith
