// Foreign texts on a screen: what steers a terminal shows, and nothing else is changed.
#include "api/printable.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "api/utf8.h"

namespace batholith {
namespace {

struct PrintableRow {
  std::string text, shown;
};

TEST(Printable, what_steers_a_terminal_or_cannot_be_seen_is_escaped) {
  const std::vector<PrintableRow> rows{
      {"\x1b[2J\x1b[31mred", "\\x1b[2J\\x1b[31mred"},              // clears the screen
      {"\x1b]0;title\x07", "\\x1b]0;title\\x07"},                  // renames the window
      {"\x1b]52;c;cm0gLXJm\x1b\\", "\\x1b]52;c;cm0gLXJm\\x1b\\"},  // writes the clipboard
      {std::string("a\0b", 3), "a\\x00b"},
      {"a\rb\nc\td\x08", "a\\rb\\nc\\td\\x08"},
      {"del\x7f", "del\\x7f"},
      {"\xc2\x9b"
       "31m",
       "\\u009b31m"},  // CSI as one character of C1
      {"\x9b"
       "31m",
       "\\x9b31m"},  // and as a byte that is no UTF-8
      {"\xc0\xaf \xed\xa0\x80 \xf5", "\\xc0\\xaf \\xed\\xa0\\x80 \\xf5"},  // overlong, surrogate
      {"cut \xe2\x82", "cut \\xe2\\x82"},
      {"user\xe2\x80\xaegpj.exe", "user\\u202egpj.exe"},  // reads as userexe.jpg
      {"\xe2\x81\xa6x\xe2\x81\xa9", "\\u2066x\\u2069"},
      {"a\xe2\x80\xa8y\xe2\x80\xa9z", "a\\u2028y\\u2029z"},
      {"de\xe2\x80\x8b"
       "fault \xef\xbb\xbf\xc2\xad",
       "de\\u200bfault \\ufeff\\u00ad"},
      {"\xe3\x85\xa4", "\\u3164"},          // a letter that looks like a blank
      {"\xf3\xa0\x81\x81", "\\U000e0041"},  // a tag
  };
  for (const PrintableRow& row : rows) {
    EXPECT_EQ(OneLine(row.text), row.shown);
    EXPECT_TRUE(HasHidden(row.text)) << row.shown;
    EXPECT_EQ(OneLine(row.shown), row.shown);  // once is enough
    EXPECT_FALSE(HasHidden(row.shown)) << row.shown;
  }
}

TEST(Printable, all_other_texts_stay_as_they_are) {
  for (const std::string text :
       {"", "queue-a", "a \\x1b b", "caf\xc3\xa9", "\xe6\x9d\xb1\xe4\xba\xac", "\xf0\x9f\x9a\x80",
        "\xc2\xb5", "\xd8\xb9\xd8\xb1\xd8\xa8\xd9\x8a"}) {
    EXPECT_EQ(OneLine(text), text);
    EXPECT_FALSE(HasHidden(text)) << text;
  }
}

TEST(Printable, a_layout_keeps_its_line_breaks_and_tabs) {
  EXPECT_EQ(ManyLines("a\tb\nc\r\n\x1b[A"), "a\tb\nc\\r\n\\x1b[A");
}

// "aé" has 3 bytes: cut at 2 the é would be torn.
TEST(Printable, a_short_line_is_cut_between_characters) {
  EXPECT_EQ(ShortLine("a\xc3\xa9", 3), "a\xc3\xa9");
  EXPECT_EQ(ShortLine("a\xc3\xa9", 2), "a...");
  EXPECT_EQ(ShortLine("abc", 2), "ab...");
  EXPECT_EQ(ShortLine("\x1b\x1b\x1b", 2), "\\x1b\\x1b...");
}

TEST(Printable, json_spells_what_is_hidden_in_its_own_way) {
  EXPECT_EQ(EscapedJson("{\n\"a\":\"\xc2\x9b\xe2\x80\xae\x7f \xc3\xa9\"}"),
            "{\n\"a\":\"\\u009b\\u202e\\u007f \xc3\xa9\"}");
  // U+E0041 is 0xDB40 0xDC41 in UTF-16.
  EXPECT_EQ(EscapedJson("\"\xf3\xa0\x81\x81\""), "\"\\udb40\\udc41\"");
}

TEST(Printable, a_width_counts_columns_and_not_bytes) {
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("caf\xc3\xa9"), 4);
  EXPECT_EQ(DisplayWidth("cafe\xcc\x81"), 4);              // an accent of its own
  EXPECT_EQ(DisplayWidth("\xe6\x9d\xb1\xe4\xba\xac"), 4);  // two wide characters
  EXPECT_EQ(DisplayWidth("\xf0\x9f\x9a\x80"), 2);
}

// 20,000 random texts with many controls, and pieces of characters, in them.
TEST(Printable, no_random_text_gets_through) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces{
      "a",        "\x1b[", "\xc2\x9b",     "\xe2\x80\xae", "\xe2", "\x80",     "\xf0\x9f",
      "\x9a\x80", "\n",    "\xed\xa0\x80", "\xc3\xa9",     "\x7f", "\xc0\x9b", "\xf3\xa0\x81\xbf"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::size_t n = random() % 9; n > 0; --n) text += pieces[random() % pieces.size()];
    const std::string shown = OneLine(text);
    EXPECT_EQ(OneLine(shown), shown);
    for (std::size_t at = 0; at < shown.size();) {
      const std::size_t n = SequenceLength(shown, at);
      ASSERT_GT(n, 0U) << shown;
      ASSERT_GE(static_cast<unsigned char>(shown[at]), 0x20);
      const std::string_view c = std::string_view(shown).substr(at, n);
      ASSERT_TRUE(c != "\x7f" && c != "\xc2\x9b" && c != "\xe2\x80\xae") << shown;
      at += n;
    }
  }
}

}  // namespace
}  // namespace batholith
