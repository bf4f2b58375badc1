// What reaches a terminal, whoever writes it; and the columns of tables.
#include "cmd/console.h"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "cmd/text_table.h"

namespace batholith {
namespace {

// What came out of the two streams while `write` ran.
template <typename Write>
std::pair<std::string, std::string> Written(
    Write write, SafeConsole::Colours colours = SafeConsole::Colours::kNever) {
  std::ostringstream out;
  std::ostringstream err;
  std::streambuf* const real_out = std::cout.rdbuf(out.rdbuf());
  std::streambuf* const real_err = std::cerr.rdbuf(err.rdbuf());
  {
    const SafeConsole console(colours);
    write();
  }
  std::cout.rdbuf(real_out);
  std::cerr.rdbuf(real_err);
  return {out.str(), err.str()};
}

TEST(SafeConsole, both_streams_are_escaped_and_keep_their_lines) {
  const auto [out, err] = Written([] {
    std::cout << "a\tb\n\x1b[2J" << '\x7f' << "\xe2\x80\xae" << std::flush << "caf\xc3\xa9\n";
    std::cerr << "warning: \xc2\x9b" << 5 << "\n";
  });
  EXPECT_EQ(out, "a\tb\n\\x1b[2J\\x7f\\u202ecaf\xc3\xa9\n");
  EXPECT_EQ(err, "warning: \\u009b5\n");
}

TEST(SafeConsole, a_character_may_come_in_pieces) {
  const auto [out, err] = Written([] {
    std::cout << "\xe6\x9d" << "\xb1 \xe2" << '\x80' << '\xae' << "\xf0\x9f\x9a";
    std::cerr << "";
  });
  EXPECT_EQ(out, "\xe6\x9d\xb1 \\u202e\\xf0\\x9f\\x9a");  // the last one never came whole
}

TEST(SafeConsole, passwords_of_addresses_are_not_told) {
  const auto [out, err] =
      Written([] { std::cerr << "GET https://u:secret@h/x?token=secret: no answer\n"; });
  EXPECT_EQ(err, "GET https://***@h/x?***: no answer\n");
}

TEST(SafeConsole, a_large_output_comes_whole) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "\xe6\x9d\xb1\n";  // torn at the border of a chunk
  EXPECT_EQ(Written([&] { std::cout << text; }).first, text);
}

TEST(SafeConsole, colours_are_its_own_and_nobody_elses) {
  const auto [out, err] = Written(
      [] {
        std::cout << "QUEUES\n  NAME  STATE\n  a\x1b[31m  Open\n3 passed, 0 failed\n"
                  << "3 passed, 1 failed\nFAILED x\n\nend";
        std::cerr << "warning: " << "error: none\n" << "plain\n";
      },
      SafeConsole::Colours::kAlways);
  EXPECT_EQ(out,
            "\x1b[1mQUEUES\x1b[0m\n\x1b[1m  NAME  STATE\x1b[0m\n  a\\x1b[31m  Open\n"
            "\x1b[32m3 passed, 0 failed\x1b[0m\n\x1b[31m3 passed, 1 failed\x1b[0m\n"
            "\x1b[31mFAILED\x1b[0m x\n\nend");
  EXPECT_EQ(err, "\x1b[33mwarning:\x1b[0m error: none\nplain\n");
}

// The widest cell of the first column takes 4 columns: "\\n" is 2, two wide characters are 4.
TEST(TextTable, columns_are_as_wide_as_what_is_seen) {
  TableShape shape;
  EXPECT_EQ(
      TextTable({{"A", "B"}, {"caf\xc3\xa9", "1"}, {"\xe6\x9d\xb1\xe4\xba\xac", "2"}, {"\n", "3"}},
                shape),
      "A      B\n"
      "caf\xc3\xa9   1\n"
      "\xe6\x9d\xb1\xe4\xba\xac   2\n"
      "\\n     3\n");
}

}  // namespace
}  // namespace batholith
