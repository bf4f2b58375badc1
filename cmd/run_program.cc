#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "api/did_you_mean.h"
#include "cmd/commands.h"
#include "cmd/help/command_table.h"
#include "cmd/version.h"

namespace batholith {
namespace {

// Those that are no row of the table: they are about all of its rows.
constexpr std::string_view kHelp = "help", kVersion = "version", kCompletion = "completion",
                           kMan = "man";

std::string ProgramHelp() {
  std::string out = "Batholith, a batch scheduler for Kubernetes\n";
  std::string_view heading;
  for (const Command& command : Commands()) {
    if (heading != command.heading) out += fmt::format("\n{}:\n", command.heading);
    heading = command.heading;
    out += fmt::format("  batholith {:<12}{}\n", command.name, command.summary);
  }
  return out + R"(
About the program:
  batholith help        this text; help COMMAND, and help COMMAND VERB, what that takes
  batholith version     what this build is; also --version
  batholith completion  completion for bash, zsh or fish
  batholith man         manual pages

Exit status: 0 done, 1 the answer is no, 2 bad input, 3 no API server, 4 told to end and something
was cut short, 70 a bug of ours.
)";
}

int UnknownCommand(const std::string& word) {
  std::vector<std::string_view> known{kHelp, kVersion, kCompletion, kMan};
  for (const Command& command : Commands()) known.emplace_back(command.name);
  std::cerr << "batholith: unknown command " << Shown(word) << DidYouMean(word, known)
            << "\nSee batholith --help\n";
  return kBadInput;
}

int RunCommandOf(const std::vector<std::string>& words) {
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (words[0] == kCompletion) return CompletionCommand(rest);
  if (words[0] == kMan) return ManCommand(rest);
  const auto command = std::ranges::find(Commands(), words[0], &Command::name);
  return command == Commands().end() ? UnknownCommand(words[0]) : command->run(rest);
}

// help simulate, help queue list.
int Help(std::vector<std::string> words) {
  words.erase(words.begin());
  if (words.empty()) {
    std::cout << ProgramHelp();
    return kDone;
  }
  words.emplace_back("--help");
  return RunCommandOf(words);
}

bool IsVolcanosName(std::string_view name) {
  return name.substr(name.rfind('/') + 1) == "vc-scheduler";
}

}  // namespace

int RunProgram(const std::string& name, const std::vector<std::string>& words) {
  if (IsVolcanosName(name) && (words.empty() || words[0].starts_with("-")))
    return SchedulerCommand(words);
  if (words.empty()) {
    std::cout << ProgramHelp();
    return kBadInput;
  }
  if (words[0] == kHelp || words[0] == "--help" || words[0] == "-h") return Help(words);
  if (words[0] == kVersion || words[0] == "--version") {
    std::cout << VersionText();
    return kDone;
  }
  return RunCommandOf(words);
}

}  // namespace batholith
