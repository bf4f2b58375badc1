// Commands about the program itself: completion, man.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "api/did_you_mean.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/help/completion.h"
#include "cmd/help/manual.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

int Complain(const char* command, const std::string& message) {
  std::cerr << "batholith " << command << ": " << message << "\n";
  return kBadInput;
}

struct Manual {
  std::vector<std::string> words;
  std::string folder;
};

CommandPage PageOf(Manual& manual) {
  CommandPage page{"man", "[COMMAND [VERB]]", "Prints a manual page, for man -l -.", ""};
  page.positional = "command";
  auto add = page.flags.add_options();
  add("help,h", "this text");
  add("command", po::value(&manual.words)->value_name("COMMAND"), "whose page; else the program's");
  add("write", po::value(&manual.folder)->value_name("DIR"), "write all pages into this folder");
  return page;
}

CommandPage PageOf(std::vector<std::string>& shells) {
  CommandPage page{"completion", "bash|zsh|fish",
                   "Prints what a shell reads to complete commands, verbs and flags.",
                   "bash: source <(batholith completion bash)\n"
                   "zsh: batholith completion zsh > \"${fpath[1]}/_batholith\"\n"
                   "fish: batholith completion fish | source"};
  page.positional = "shell";
  auto add = page.flags.add_options();
  add("help,h", "this text");
  add("shell", po::value(&shells)->value_name("SHELL"), "bash, zsh or fish");
  return page;
}

int WriteAll(const std::filesystem::path& folder) {
  for (const ManualPage& page : ManualPages()) {
    std::ofstream out(folder / page.file, std::ios::binary);
    out << page.text << std::flush;
    if (!out) return Complain("man", (folder / page.file).string() + ": cannot be written");
  }
  return kDone;
}

}  // namespace

int ManCommand(const std::vector<std::string>& arguments) {
  Manual manual;
  const ParsedFlags parsed = ParseFlags(PageOf(manual), arguments);
  if (parsed.stop) return parsed.status;
  if (!manual.folder.empty()) return WriteAll(manual.folder);
  const Result<std::string> text = ManualOf(manual.words);
  if (!text) return Complain("man", text.error().message);
  std::cout << *text;
  return kDone;
}

int CompletionCommand(const std::vector<std::string>& arguments) {
  std::vector<std::string> shells;
  const ParsedFlags parsed = ParseFlags(PageOf(shells), arguments);
  if (parsed.stop) return parsed.status;
  if (shells.size() != 1) return Complain("completion", "one of bash, zsh and fish is required");
  const Result<std::string> script = CompletionScript(shells[0]);
  if (!script) return Complain("completion", script.error().message);
  std::cout << *script;
  return kDone;
}

}  // namespace batholith
