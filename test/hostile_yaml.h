#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace batholith {

// Texts that cost a reader of YAML more than their size where it is careless.
struct HostileYaml {
  std::string name;
  std::string text;
};

inline std::string UpTo(std::size_t bytes, std::string_view part) {
  std::string out;
  while (out.size() < bytes) out += part;
  return out;
}

// `make` is called with 0, 1, 2 and so on.
template <std::invocable<std::size_t> Make>
std::string UpTo(std::size_t bytes, Make make) {
  std::string out;
  for (std::size_t i = 0; out.size() < bytes; ++i) out += make(i);
  return out;
}

// Nesting, anchors, keys and documents; each of about `n` bytes.
inline std::vector<HostileYaml> HostileStructures(std::size_t n) {
  const auto number = [](std::size_t i) { return std::to_string(i); };
  return {
      // nesting
      {"open lists", UpTo(n, "[")},
      {"open mappings", UpTo(n, "{a: ")},
      {"items of items", UpTo(n, "- ")},
      {"keys of keys", UpTo(n, "? ")},
      {"open lists on lines", UpTo(n, "[\n")},
      {"growing indentation", UpTo(n, [](std::size_t i) { return std::string(i, ' ') + "a:\n"; })},
      {"waves of indentation",
       UpTo(n, [](std::size_t i) { return std::string(i % 90, ' ') + "a:\n"; })},
      {"waves of lists",
       "[" + UpTo(n, [](std::size_t) { return UpTo(90, "[") + UpTo(90, "]") + ",\n"; }) + "]"},
      {"wide and deep", UpTo(98, "[") + UpTo(n, "a,") + UpTo(98, "]")},
      {"wide and deep, quoted", UpTo(98, "[") + UpTo(n, "\"a\",") + UpTo(98, "]")},
      {"closing marks", UpTo(n, "]")},
      {"commas", "[" + UpTo(n, ",")},
      // anchors and aliases
      {"anchors of anchors", UpTo(n, "&a ")},
      {"one anchor often", UpTo(n, "- &a x\n")},
      {"many anchors", UpTo(n, [&](std::size_t i) { return "- &a" + number(i) + " x\n"; })},
      {"many aliases", "- &a x\n" + UpTo(n, "- *a\n")},
      {"aliases of a long text", "- &a " + UpTo(n / 2, "x") + "\n" + UpTo(n / 2, "- *a\n")},
      {"billion laughs", "- &a0 [x, x]\n" + UpTo(n,
                                                 [&](std::size_t i) {
                                                   const std::string alias = "*a" + number(i);
                                                   return "- &a" + number(i + 1) + " [" + alias +
                                                          ", " + alias + "]\n";
                                                 })},
      {"merges of merges", "- &a0 {k: v}\n" + UpTo(n,
                                                   [&](std::size_t i) {
                                                     return "- &a" + number(i + 1) + " {<<: *a" +
                                                            number(i) + ", k" + number(i) +
                                                            ": v}\n";
                                                   })},
      {"a merge of a wide mapping",
       "- &a\n" + UpTo(n / 2, [&](std::size_t i) { return "  k" + number(i) + ": v\n"; }) +
           UpTo(n / 2, "- {<<: *a}\n")},
      {"a cycle", "&a [" + UpTo(n, "*a, ") + "]"},
      {"a long anchor", "- &" + UpTo(n, "x") + " a"},
      // keys
      {"a long key", UpTo(n, "x") + ": 1"},
      {"a long quoted key", "\"" + UpTo(n, "x") + "\": 1"},
      {"a long key behind a mark", "? " + UpTo(n, "x") + "\n: 1"},
      {"many keys", UpTo(n, [&](std::size_t i) { return "k" + number(i) + ": x\n"; })},
      {"one key often", UpTo(n, "a: b\n")},
      {"keys without values", UpTo(n, "? a\n")},
      {"colons", UpTo(n, ": ")},
      {"keys in flow", "{" + UpTo(n, "a,") + "}"},
      {"quoted keys in flow", "{" + UpTo(n, "\"a\": b, ") + "}"},
      {"single pairs", "[" + UpTo(n, "a: b, ") + "]"},
      // documents
      {"empty documents", UpTo(n, "---\n")},
      {"ends of documents", UpTo(n, "...\n")},
      {"documents that end", UpTo(n, "a\n...\n")},
      {"small documents", UpTo(n, "---\na: 1\n")},
      {"documents without their own text", UpTo(n, "--- a\n")},
  };
}

// Scalars, tags, directives and the lines between; each of about `n` bytes.
inline std::vector<HostileYaml> HostileTexts(std::size_t n) {
  const auto number = [](std::size_t i) { return std::to_string(i); };
  return {
      // scalars
      {"a long plain text", "a: " + UpTo(n, "x")},
      {"a long text of words", "a: " + UpTo(n, "x ")},
      {"a long text of lines", "a: " + UpTo(n, "x\n ")},
      {"spaces in a text", "a: x" + UpTo(n, " ") + "y"},
      {"empty lines in a text", "a: x" + UpTo(n, "\n") + " y"},
      {"tabs", "a: " + UpTo(n, "\t") + "b"},
      {"a long quoted text", "a: \"" + UpTo(n, "x") + "\""},
      {"an open quote", "a: \"" + UpTo(n, "x")},
      {"escapes", "a: \"" + UpTo(n, "\\U0001F600") + "\""},
      {"escaped line breaks", "a: \"" + UpTo(n, "\\\n") + "\""},
      {"quotes in quotes", "a: '" + UpTo(n, "''") + "'"},
      {"a block of lines", "a: |\n" + UpTo(n, "  x\n")},
      {"a block of empty lines", "a: |+\n" + UpTo(n, "\n")},
      {"a block that grows",
       "a: |\n" + UpTo(n, [](std::size_t i) { return std::string(i, ' ') + "\n"; }) + "x"},
      {"a folded block", "a: >\n" + UpTo(n, "  x\n    y\n")},
      {"wide characters", "a: " + UpTo(n, "\xe2\x82\xac")},
      // tags and directives
      {"a long tag", "!" + UpTo(n, "x") + " a"},
      {"a tag of escapes", "!<" + UpTo(n, "%41") + "> a"},
      {"many tags", UpTo(n, "- !x a\n")},
      {"many directives of tags",
       UpTo(n, [&](std::size_t i) { return "%TAG !a" + number(i) + "! tag:x\n"; }) + "---\na"},
      {"a long prefix of tags",
       "%TAG !a! " + UpTo(n / 2, "x") + "\n---\n" + UpTo(n / 2, "- !a!b c\n")},
      {"a prefix of tags", "%TAG !a! " + UpTo(900, "x") + "\n---\n" + UpTo(n, "- !a!b c\n")},
      {"unknown directives", UpTo(n, "%FOO bar\n") + "---\na"},
      {"versions", UpTo(n, "%YAML 1.1\n---\na\n...\n")},
      {"a huge version", "%YAML " + UpTo(n, "1") + "\n---\na"},
      // lines and bytes
      {"a comment", "#" + UpTo(n, "x")},
      {"comments", UpTo(n, "#x\n")},
      {"comments in flow", "[" + UpTo(n, "#x\n") + "]"},
      {"empty lines", UpTo(n, "\n")},
      {"empty items", UpTo(n, "-\n")},
      {"spaces", UpTo(n, " ") + "a"},
      {"CR and LF", UpTo(n, "- x\r\n")},
      {"CR", UpTo(n, "- x\r")},
      {"NEL", UpTo(n, "- x\xc2\x85")},
      {"byte order marks", UpTo(n, "\xef\xbb\xbf")},
      {"UTF-16", "\xff\xfe" + UpTo(n, std::string_view("a\0", 2))},
      {"control characters", UpTo(n, "\x04")},
      {"a comma behind a mapping", "{a: b}," + UpTo(n, "\n")},
      {"commas between texts", UpTo(n, "\"a\" , ")},
      {"a comma in a document of its own", UpTo(n, "---\n,\n")},
  };
}

inline std::vector<HostileYaml> HostileYamls(std::size_t n) {
  std::vector<HostileYaml> out = HostileStructures(n);
  for (HostileYaml& text : HostileTexts(n)) out.push_back(std::move(text));
  return out;
}

}  // namespace batholith
