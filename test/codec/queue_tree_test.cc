#include "codec/queue_tree.h"

#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

std::string Queue(const std::string& name, const std::string& parent) {
  return "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: " + name +
         "}, spec: {parent: " + parent + "}}\n";
}

TEST(QueueTree, warns_of_cycles_and_missing_parents_once) {
  struct Row {
    std::string text;
    std::string warnings;
  };
  const std::vector<Row> rows{
      {Queue("a", "root") + Queue("b", "a") + Queue("c", "default") + Queue("d", "''"), ""},
      {Queue("a", "a"), "Queue a: spec.parent: a cycle: a -> a\n"},
      {Queue("c", "a") + Queue("a", "b") + Queue("b", "c") + Queue("below", "b"),
       "Queue a: spec.parent: a cycle: a -> b -> c -> a\n"},
      {Queue("a", "z") + Queue("z", "y") + Queue("y", "z"),
       "Queue a: spec.parent: a cycle: z -> y -> z\n"},
      {Queue("a", "gone") + Queue("b", "gone") + Queue("c", "b"),
       "Queue a: spec.parent: no queue gone\n"},
  };
  for (const Row& row : rows) {
    const Loaded loaded = Decode(row.text);
    EXPECT_TRUE(loaded.refused.empty()) << JoinedLines(loaded.refused);
    EXPECT_EQ(JoinedLines(loaded.warnings), row.warnings);
  }
}

TEST(QueueTree, a_long_cycle_is_told_shortly) {
  std::string text;
  for (int i = 0; i < 10'000; ++i)
    text += Queue("q" + std::to_string(i), "q" + std::to_string((i + 1) % 10'000));
  const Loaded loaded = Decode(text);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_LT(loaded.warnings[0].size(), 300U);
}

}  // namespace
}  // namespace batholith
