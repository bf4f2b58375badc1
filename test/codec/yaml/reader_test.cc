#include "codec/yaml/reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "codec/yaml/tree.h"
#include "test/cost.h"
#include "test/hostile_yaml.h"

namespace batholith {
namespace {

constexpr YamlLimits kLimits{.values = 1'000'000, .text_bytes = 10'000'000};

// A node as text: scalars with their quotes where they had some, everything with its line.
std::string Shown(const YamlNode& node) {
  const std::string line = fmt::format("@{}", node.line());
  std::string out;
  if (node.is_list()) {
    for (const YamlNode& item : node.Items()) out += (out.empty() ? "" : ", ") + Shown(item);
    return "[" + out + "]" + line;
  }
  if (node.is_mapping()) {
    for (const auto& [key, value] : node.Entries())
      out += (out.empty() ? "" : ", ") + Shown(key) + ": " + Shown(value);
    return "{" + out + "}" + line;
  }
  if (node.is_null()) return "null" + line;
  return (node.is_plain() ? std::string(node.text()) : fmt::format("'{}'", node.text())) + line;
}

// Every document of a text, or why there is none.
std::string Read(std::string_view text, const YamlLimits& limits = kLimits) {
  YamlReader reader(text, limits);
  YamlTree tree;
  std::string out;
  while (true) {
    const std::expected<bool, YamlError> more = reader.Next(tree);
    if (!more) return fmt::format("line {}: {}", more.error().line, more.error().reason);
    if (!*more) return out;
    out += (out.empty() ? "" : " | ") + Shown(tree.root());
  }
}

TEST(YamlReader, a_tree_knows_lines_and_quotes) {
  EXPECT_EQ(Read("a: b\nc:\n- 'd'\n- \"e\"\n- !x f\n- |\n  g\n"),
            "{a@1: b@1, c@2: ['d'@3, 'e'@4, 'f'@5, 'g\n'@6]@3}@1");
  EXPECT_EQ(Read("- ~\n- null\n-\n- 'null'\n- {}\n- []\n"),
            "[null@1, null@2, null@3, 'null'@4, {}@5, []@6]@1");
}

TEST(YamlReader, a_mapping_has_a_limit_of_keys) {
  std::string text = "labels:\n";
  for (int i = 0; i <= 100'000; ++i) text += fmt::format("  k{}:\n", i);
  EXPECT_EQ(Read(text), "line 100002: a mapping has more than 100000 keys");
}

TEST(YamlReader, documents_begin_and_end) {
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("# nothing\n"), "");
  EXPECT_EQ(Read("---\n"), "null@2");
  EXPECT_EQ(Read("a\n---\nb\n"), "a@1 | b@3");
  EXPECT_EQ(Read("a\n...\n"), "a@1");
  EXPECT_EQ(Read("a\n...\nb: c\n...\n---\nd\n"), "a@1 | {b@3: c@3}@3 | d@6");
  EXPECT_EQ(Read("%YAML 1.1\n---\na\n...\n%YAML 1.2\n---\nb\n"), "a@3 | b@7");
  EXPECT_EQ(Read("a: ...b\nc: d...\n"), "{a@1: ...b@1, c@2: d...@2}@1");
}

TEST(YamlReader, an_alias_is_what_it_names) {
  EXPECT_EQ(Read("a: &x {b: c}\nd: *x\ne: &x f\ng: *x\n"),
            "{a@1: {b@1: c@1}@1, d@2: {b@1: c@1}@1, e@3: f@3, g@4: f@3}@1");
  EXPECT_EQ(Read("- &x [&x a, *x]\n- *x\n"), "[[a@1, a@1]@1, a@1]@1");
}

TEST(YamlReader, what_is_wrong_is_said_with_its_line) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"a: b\n...\nc: 'd", "line 3: found unexpected end of stream"},
      {"a: 'b\nc: d\n", "(while scanning a quoted scalar from line 1 on)"},
      {"a:\n\tb: c\n", "line 2: found character that cannot start any token"},
      {"---\n,\n", "line 2: "},
      {"{a: b},\n", "line 1: did not find expected <document start>"},
      {"\"a\" , \"b\"\n", "line 1: did not find expected <document start>"},
      {"[7]6\n?\n3[7]6\n.\n31", "line 1: "},
      {"a: b\nc: \x04\n", "line 2: has the control character U+0004"},
      {"a: \x7f\n", "line 1: has the control character U+007F"},
      {"a: \xff\n", "line 1: binary data"},
      {"a: *b\n", "line 1: alias *b: there is no such anchor before it"},
      {"a: 1\nb: &b {c: *b}\n", "line 2: alias *b: stands inside of what it names"},
      {"a: &b c\n---\nd: *b\n", "line 3: alias *b: there is no such anchor"},
      {"a: 1\n? " + std::string(1025, 'x') + "\n: 1\n", "line 2: a key is longer than 1024 bytes"},
      {std::string(101, '['), "line 1: nested deeper than 100 levels"},
      {"%FOO a\n---\nb\n", "line 1: found unknown directive name"},
  };
  for (const auto& [text, expected] : rows)
    EXPECT_NE(Read(text).find(expected), std::string::npos) << text << "\n" << Read(text);
  EXPECT_EQ(Read(UpTo(100, "[") + UpTo(100, "]")).substr(0, 4), "[[[[");
}

// Of a list of 3 an alias takes 4 values: 1 + (1 + 3) + 4 = 9.
TEST(YamlReader, an_alias_costs_what_it_stands_for) {
  const std::string text = "- &x [aa, bb, cc]\n- *x\n";
  EXPECT_EQ(Read(text, {.values = 9, .text_bytes = 12}).substr(0, 2), "[[");
  EXPECT_EQ(Read(text, {.values = 8, .text_bytes = 12}),
            "line 2: alias *x: aliases expand to too much: more than 8 values");
  EXPECT_EQ(Read(text, {.values = 9, .text_bytes = 11}),
            "line 2: alias *x: aliases expand to too much: more than 11 bytes of text");
  EXPECT_EQ(Read("[a, b, c]", {.values = 3, .text_bytes = 9}), "line 1: more than 3 values");
  const std::string deep = "- &x " + UpTo(60, "[") + UpTo(60, "]") + "\n- ";
  EXPECT_EQ(Read(deep + UpTo(39, "[") + "*x" + UpTo(39, "]")).substr(0, 2), "[[");
  EXPECT_EQ(Read(deep + UpTo(40, "[") + "*x" + UpTo(40, "]")),
            "line 2: nested deeper than 100 levels");
}

TEST(YamlReader, whatever_comes_is_read_in_time_and_memory_of_its_size) {
  for (const std::size_t size : {std::size_t{256} << 10U, std::size_t{1} << 20U}) {
    for (const auto& [name, text] : HostileYamls(size)) {
      ExpectBounded(name, size, [&text = text] {
        YamlReader reader(text, kLimits);
        YamlTree tree;
        std::expected<bool, YamlError> more = true;
        while (more && *more) more = reader.Next(tree);
        return more ? std::string() : more.error().reason;
      });
    }
  }
}

}  // namespace
}  // namespace batholith
