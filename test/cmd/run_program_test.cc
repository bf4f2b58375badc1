// What the program says about itself, read as a person would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/help/command_table.h"
#include "cmd/help/help_text.h"
#include "cmd/version.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CommandResult Said(const std::vector<std::string>& words) {
  return RunCommand([](const auto& w) { return RunProgram("/usr/bin/batholith", w); }, words);
}
CommandResult SaidAsVolcanos(const std::vector<std::string>& words) {
  return RunCommand([](const auto& w) { return RunProgram("/vc-scheduler", w); }, words);
}

std::size_t WidestLine(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

TEST(RunProgram, says_what_the_build_is) {
  const CommandResult version = Said({"--version"});
  EXPECT_EQ(version.status, kDone);
  EXPECT_THAT(version.out, HasSubstr("batholith " + OwnBuild().version + "\n"));
  for (const char* fact : {"commit ", "build ", "compiler ", "platform "})
    EXPECT_THAT(version.out, HasSubstr(fact));
  EXPECT_EQ(Said({"version"}).out, version.out);
  EXPECT_EQ(Said({"scheduler", "--version"}).out, version.out);
  EXPECT_EQ(SaidAsVolcanos({"--version"}).out, version.out);
}

TEST(RunProgram, help_of_a_command_is_what_its_flag_prints) {
  EXPECT_EQ(Said({"help"}).out, Said({"--help"}).out);
  for (const Command& command : Commands()) {
    EXPECT_THAT(Said({"help"}).out, HasSubstr(std::string("batholith ") + command.name));
    const CommandResult help = Said({"help", command.name});
    EXPECT_EQ(help.status, kDone) << command.name;
    EXPECT_EQ(help.out, Said({command.name, "--help"}).out) << command.name;
    EXPECT_THAT(help.out, HasSubstr(std::string("batholith ") + command.name));
  }
  EXPECT_EQ(Said({"help", "queue", "list"}).out, Said({"queue", "list", "--help"}).out);
}

TEST(RunProgram, help_of_nothing_that_there_is_says_what_may_be_meant) {
  const CommandResult help = Said({"help", "simulat"});
  EXPECT_EQ(help.status, kBadInput);
  EXPECT_EQ(help.err,
            "batholith: unknown command simulat; did you mean \"simulate\"?\n"
            "See batholith --help\n");
}

// Every page: its summary, each flag with its text, and no line that runs over the edge.
TEST(RunProgram, pages_hold_every_flag_within_80_columns) {
  for (const Command& command : Commands()) {
    for (const CommandPage& page : command.pages()) {
      const std::string text = HelpText(page, 80);
      EXPECT_LE(WidestLine(text), 80) << text;
      for (const FlagRow& row : FlagRows(page)) {
        EXPECT_THAT(text, HasSubstr("--" + row.name));
        EXPECT_FALSE(row.text.empty()) << page.name << " " << row.name;
      }
      EXPECT_FALSE(page.summary.empty()) << page.name;
    }
  }
}

TEST(Wrapped, breaks_between_words) {
  EXPECT_EQ(Wrapped("aa bb cc", 0, 5), "aa bb\ncc");
  EXPECT_EQ(Wrapped("aa bb cc", 2, 7), "aa bb\n  cc");
  EXPECT_EQ(Wrapped("aa\nbb", 2, 80), "aa\n  bb");
  EXPECT_EQ(Wrapped("a=1,bb=2,c=3", 0, 6), "a=1,\nbb=2,\nc=3");
  EXPECT_EQ(Wrapped("abcdefgh", 0, 4), "abcdefgh") << "there is no place to cut";
}

TEST(Letters, may_have_an_equals_sign) {
  const CommandFolder folder;
  const std::string nodes = folder.Write(
      "nodes.yaml",
      "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4}}}");
  const CommandResult with = Said({"simulate", "-f=" + nodes, "-o=json"});
  EXPECT_EQ(with.status, kDone) << with.err;
  EXPECT_EQ(with.out, Said({"simulate", "-f", nodes, "--output", "json"}).out);
  EXPECT_THAT(Said({"simulate", "-x=1"}).err, HasSubstr("unknown flag -x\n"));
  EXPECT_THAT(Said({"simulate", "-o="}).err, HasSubstr("--output"));
  EXPECT_THAT(Said({"simulate", "-f", nodes, "--watch=maybe"}).err, HasSubstr("--watch"));
  EXPECT_THAT(Said({"simulate", "more"}).err, HasSubstr("unexpected argument more"));
}

TEST(Switches, take_no_word_that_follows) {
  bool all = false;
  bool watch = true;
  std::string output;
  std::vector<std::string> names;
  const auto parse = [&](const std::vector<std::string>& arguments) {
    names.clear();
    CommandPage page{"x", "", ""};
    page.positional = "name";
    auto add = page.flags.add_options();
    add("all,A", Switch(all), "");
    add("watch,w", Switch(watch, true), "");
    add("output,o", boost::program_options::value(&output)->default_value("table"), "");
    add("name", boost::program_options::value(&names), "");
    EXPECT_FALSE(ParseFlags(page, arguments).stop);
  };
  parse({"--all", "true"});
  EXPECT_TRUE(all && watch);
  EXPECT_THAT(names, ::testing::ElementsAre("true"));
  parse({"-A=false", "--watch=false", "a", "b"});
  EXPECT_FALSE(all || watch);
  EXPECT_THAT(names, ::testing::ElementsAre("a", "b"));
  parse({"-Awojson", "a"});
  EXPECT_TRUE(all && watch);
  EXPECT_EQ(output, "json");
  EXPECT_THAT(names, ::testing::ElementsAre("a"));
  parse({"--", "-A", "-"});
  EXPECT_FALSE(all);
  EXPECT_THAT(names, ::testing::ElementsAre("-A", "-"));
}

}  // namespace
}  // namespace batholith
