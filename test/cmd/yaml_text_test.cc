#include "cmd/yaml_text.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "codec/yaml.h"

namespace batholith {
namespace {

namespace json = boost::json;

// Each of them means something else, or nothing at all, where it stands without quotes.
constexpr std::initializer_list<const char*> kTexts{"",
                                                    " ",
                                                    "a",
                                                    "a ",
                                                    " a",
                                                    "true",
                                                    "No",
                                                    "~",
                                                    "null",
                                                    "NULL",
                                                    "5",
                                                    "-5",
                                                    "0x1f",
                                                    "1e3",
                                                    ".5",
                                                    "2026-01-01T00:00:00Z",
                                                    "12:30:00",
                                                    "a: b",
                                                    "a:",
                                                    "- a",
                                                    "-",
                                                    "?",
                                                    "a # b",
                                                    "#",
                                                    "a\n",
                                                    "a\nb",
                                                    "a\nb\n",
                                                    " a\nb\n",
                                                    "a\n b\n",
                                                    "a\nb\n\n",
                                                    "\na\nb\n",
                                                    "a\tb",
                                                    "a\r\nb\n",
                                                    "\x1b",
                                                    "\"a\"",
                                                    "'a'",
                                                    "a \"b\"",
                                                    "[a]",
                                                    "{a}",
                                                    "a, b",
                                                    "*a",
                                                    "&a",
                                                    "!a",
                                                    "|",
                                                    ">",
                                                    "%a",
                                                    "@a",
                                                    "`a`",
                                                    "---",
                                                    "...",
                                                    "a\\b",
                                                    "\xc3\xa9",
                                                    "\xe2\x80\xa8x",
                                                    "<<",
                                                    "cpu=1, {k: v}"};

TEST(YamlText, is_in_block_style) {
  const json::value value = json::parse(
      R"({"name": "a", "list": [{"cpu": "8", "max": 3}, {"b": []}], "share": 0.5, "none": {},
          "deep": [[1, 2]], "yes": true, "nothing": null, "conf": "actions: x\ntiers: y\n"})");
  EXPECT_EQ(YamlText(value), R"(name: a
list:
  - cpu: "8"
    max: 3
  - b: []
share: 0.5
none: {}
deep:
  -
    - 1
    - 2
"yes": true
nothing: ~
conf: |
  actions: x
  tiers: y
)");
}

TEST(YamlText, reads_back_as_the_same_value) {
  json::object value;
  json::array texts;
  for (const char* text : kTexts) {
    texts.emplace_back(text);
    if (std::string_view(text) != "<<") value.emplace(text, text);
  }
  value["texts"] = texts;
  value["long"] = std::string(200, 'x') + " " + std::string(200, 'y');
  value["numbers"] = {1, -1, INT64_MAX, INT64_MIN};
  value["others"] = {true, false, nullptr, json::array(), json::object()};
  const std::string text = YamlText(value);
  const auto documents = ParseDocuments(text, "text");
  ASSERT_TRUE(documents) << documents.error().message << "\n" << text;
  ASSERT_EQ(documents->size(), 1U) << text;
  EXPECT_EQ(documents->at(0), json::value(value)) << text;
}

}  // namespace
}  // namespace batholith
