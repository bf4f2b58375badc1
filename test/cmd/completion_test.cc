// Completion and manual pages come from the table of commands, and the shells and man take them.
#include "cmd/help/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "cmd/commands.h"
#include "cmd/help/command_table.h"
#include "cmd/help/manual.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;

// What a command line prints, if anything.
std::string OutputOf(const std::string& line) {
  FILE* const pipe = popen(line.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string out;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << line << "\n" << out;
  return out;
}

// What bash offers for the last of these words.
std::string Offered(const std::vector<std::string>& words) {
  const CommandFolder folder;
  const Result<std::string> script = CompletionScript("bash");
  std::string array;
  for (const std::string& word : words) array += " '" + word + "'";
  const std::string file =
      folder.Write("ask.sh", *script + "\nCOMP_WORDS=(" + array +
                                 ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
                                 "\n_batholith\necho \"${COMPREPLY[*]}\"\n");
  return OutputOf("bash '" + file + "'");
}

TEST(Completion, of_bash_offers_commands_verbs_flags_and_outputs) {
  EXPECT_EQ(Offered({"batholith", "s"}), "simulate scheduler\n");
  EXPECT_EQ(Offered({"batholith", "queue", ""}), "list get explain create operate delete\n");
  EXPECT_EQ(Offered({"batholith", "help", "q"}), "queue quota\n");
  EXPECT_EQ(Offered({"batholith", "queue", "list", "--sel"}), "--selector\n");
  EXPECT_EQ(Offered({"batholith", "simulate", "--c"}), "--cycles\n");
  EXPECT_EQ(Offered({"batholith", "simulate", "-o", ""}), "table wide json yaml\n");
  EXPECT_EQ(Offered({"batholith", "completion", "z"}), "zsh\n");
  EXPECT_EQ(Offered({"batholith", "nothing", "--"}), "\n");
}

TEST(Completion, has_every_flag_for_every_shell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Result<std::string> script = CompletionScript(shell);
    ASSERT_TRUE(script);
    for (const Command& command : Commands()) {
      EXPECT_THAT(*script, HasSubstr(command.name));
      for (const CommandPage& page : command.pages()) {
        for (const FlagRow& row : FlagRows(page)) {
          if (row.positional) continue;
          EXPECT_THAT(*script, HasSubstr((shell[0] == 'f' ? "-l " : "--") + row.name));
        }
      }
    }
  }
  const CommandResult other = RunCommand(CompletionCommand, {"bsh"});
  EXPECT_EQ(other.status, kBadInput);
  EXPECT_THAT(other.err, HasSubstr("unknown shell bsh; did you mean \"bash\"?"));
  EXPECT_EQ(RunCommand(CompletionCommand, {}).status, kBadInput);
}

// A text in single quotes ends where it should.
TEST(Completion, of_zsh_and_fish_has_quotes_in_pairs) {
  for (const char* shell : {"zsh", "fish"}) {
    const CommandFolder folder;
    const std::string file = folder.Write("script", *CompletionScript(shell));
    OutputOf("command -v " + std::string(shell) + " >/dev/null || exit 0; " + shell + " -n '" +
             file + "'");
    std::string text = *CompletionScript(shell);
    for (std::size_t at = 0; (at = text.find("'\\''", at)) != std::string::npos;)
      text.replace(at, 4, "");
    EXPECT_EQ(std::ranges::count(text, '\'') % 2, 0) << shell;
  }
}

TEST(Manual, has_a_page_for_the_program_and_each_command) {
  const std::string program = *ManualOf({});
  for (const Command& command : Commands()) {
    for (const CommandPage& page : command.pages()) {
      std::string name = "batholith-" + page.name;
      std::ranges::replace(name, ' ', '-');
      std::string escaped;
      for (const char c : name) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_THAT(program, HasSubstr(".BR " + escaped + " (1)"));
    }
  }
  const std::string list = RunCommand(ManCommand, {"queue", "list"}).out;
  EXPECT_THAT(list, HasSubstr(".TH \"BATHOLITH\\-QUEUE\\-LIST\" 1 \"\" \"batholith "));
  EXPECT_THAT(list, HasSubstr(".SH SYNOPSIS\n.B batholith queue list\n[flags]\n"));
  EXPECT_THAT(list, HasSubstr(".TP\n\\fB\\-l\\fR, \\fB\\-\\-selector\\fR \\fIVALUE\\fR\nlabels, "));
  EXPECT_THAT(RunCommand(ManCommand, {"queue", "lst"}).err, HasSubstr("no manual page"));
}

TEST(Manual, is_written_into_a_folder_and_read_by_groff_without_a_word) {
  const CommandFolder folder;
  const std::string place = folder.Write("x", "");
  const std::string path = place.substr(0, place.rfind('/'));
  ASSERT_EQ(RunCommand(ManCommand, {"--write", path}).status, kDone);
  EXPECT_EQ(OutputOf("command -v groff >/dev/null || exit 0; groff -ww -man -z -Tutf8 '" + path +
                     "'/*.1 2>&1"),
            "");
  EXPECT_EQ(RunCommand(ManCommand, {"--write", path + "/gone"}).status, kBadInput);
}

}  // namespace
}  // namespace batholith
