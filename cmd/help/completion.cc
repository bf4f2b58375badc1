#include "cmd/help/completion.h"

#include <fmt/format.h>

#include <functional>
#include <sstream>
#include <string_view>
#include <vector>

#include "api/did_you_mean.h"
#include "cmd/help/command_table.h"

namespace batholith {
namespace {

// Words that are no command of the table, and complete like one without flags.
constexpr std::string_view kAlso = "help version completion man";

std::string VerbOf(const Command& command, const CommandPage& page) {
  const std::size_t size = std::string_view(command.name).size();
  return page.name.size() > size ? page.name.substr(size + 1) : "";
}

// What -o takes, as its text lists it: "table, wide, json or yaml (…)".
std::string ChoicesOf(const FlagRow& row) {
  if (row.name != "output") return {};
  std::istringstream words(row.text.substr(0, row.text.find('(')));
  std::string out;
  for (std::string word; words >> word;) {
    if (word.ends_with(',')) word.pop_back();
    if (word != "or") out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

std::string FlagWords(const CommandPage& page) {
  std::string out;
  for (const FlagRow& row : FlagRows(page)) {
    if (row.positional) continue;
    if (row.letter != 0) out += fmt::format("-{} ", row.letter);
    out += "--" + row.name + " ";
  }
  return out;
}

std::string Bash() {
  std::string commands(kAlso);
  std::string verbs;
  std::string pages;
  for (const Command& command : Commands()) {
    commands += fmt::format(" {}", command.name);
    std::string own_verbs;
    for (const CommandPage& page : command.pages()) {
      if (const std::string verb = VerbOf(command, page); !verb.empty()) own_verbs += verb + " ";
      std::string choices;
      for (const FlagRow& row : FlagRows(page)) choices += ChoicesOf(row);
      pages += fmt::format("    \"{}\") flags=\"{}\"; outputs=\"{}\";;\n", page.name,
                           FlagWords(page), choices);
    }
    if (!own_verbs.empty())
      verbs += fmt::format("    {}) verbs=\"{}\";;\n", command.name, own_verbs);
  }
  return fmt::format(R"(# Completion of batholith for bash:  source <(batholith completion bash)
_batholith() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} first=${{COMP_WORDS[1]}}
  local page=$first verbs= flags= outputs=
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$cur"))
    return
  fi
  case $first in
    help) [[ $COMP_CWORD -eq 2 ]] && COMPREPLY=($(compgen -W "{}" -- "$cur")); return;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur")); return;;
{}  esac
  if [[ -n $verbs ]]; then
    if [[ $COMP_CWORD -eq 2 ]]; then
      COMPREPLY=($(compgen -W "$verbs" -- "$cur"))
      return
    fi
    page="$first ${{COMP_WORDS[2]}}"
  fi
  case $page in
{}  esac
  if [[ $prev == -o || $prev == --output ]]; then
    COMPREPLY=($(compgen -W "$outputs" -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}}
complete -o filenames -F _batholith batholith
)",
                     commands, commands, verbs, pages);
}

// Text inside of single quotes, where the signs `special` have a meaning.
std::string Quoted(const std::string& text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.contains(c)) out += '\\';
    out += c;
  }
  return out;
}

std::string ZshFlag(const FlagRow& row) {
  const std::string text = Quoted(row.text, "[]:\\");
  const std::string choices = ChoicesOf(row);
  const std::string value = row.value.empty() ? ""
                            : choices.empty() ? ":" + row.value + ":_files"
                                              : ":" + row.value + ":(" + choices + ")";
  const std::string name = "--" + row.name + (row.value.empty() ? "" : "=");
  if (row.letter == 0) return fmt::format("'*{}[{}]{}'", name, text, value);
  const std::string letter = fmt::format("-{}{}", row.letter, row.value.empty() ? "" : "+");
  return fmt::format("'*{}[{}]{}' '*{}[{}]{}'", letter, text, value, name, text, value);
}

std::string ZshArguments(const CommandPage& page) {
  std::string out = "_arguments";
  for (const FlagRow& row : FlagRows(page)) {
    if (!row.positional) out += " \\\n        " + ZshFlag(row);
  }
  return out + " \\\n        '*:file:_files'";
}

std::string Zsh() {
  std::string names;
  std::string cases;
  for (const Command& command : Commands()) {
    names += fmt::format("    '{}:{}'\n", command.name, Quoted(command.summary, ":\\"));
    const std::vector<CommandPage> pages = command.pages();
    if (VerbOf(command, pages.front()).empty()) {
      cases += fmt::format("    {})\n      {};;\n", command.name, ZshArguments(pages.front()));
      continue;
    }
    std::string verbs;
    std::string inner;
    for (const CommandPage& page : pages) {
      verbs += fmt::format("'{}:{}' ", VerbOf(command, page), Quoted(page.summary, ":\\"));
      inner += fmt::format("      {})\n        {};;\n", VerbOf(command, page), ZshArguments(page));
    }
    cases += fmt::format(
        "    {})\n      if (( CURRENT == 2 )); then\n        local -a verbs=({})\n        "
        "_describe verb verbs\n        return\n      fi\n      shift words; (( CURRENT-- ))\n"
        "      case $words[1] in\n{}      esac;;\n",
        command.name, verbs, inner);
  }
  return fmt::format(R"(#compdef batholith
compdef _batholith batholith
# Completion of batholith for zsh:  batholith completion zsh > "${{fpath[1]}}/_batholith"
_batholith() {{
  local -a commands=(
{}    'help:what a command takes' 'version:what this build is'
    'completion:completion for bash, zsh or fish' 'man:manual pages'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words; (( CURRENT-- ))
  case $words[1] in
{}    help) _describe command commands;;
    completion) _values shell bash zsh fish;;
  esac
}}
if [[ $funcstack[1] == _batholith ]]; then
  _batholith "$@"
fi
)",
                     names, cases);
}

std::string FishFlags(const CommandPage& page, const std::string& when) {
  std::string out;
  for (const FlagRow& row : FlagRows(page)) {
    if (row.positional) continue;
    out += fmt::format("complete -c batholith -n '{}'", when);
    if (row.letter != 0) out += fmt::format(" -s {}", row.letter);
    out += " -l " + row.name;
    const std::string choices = ChoicesOf(row);
    if (!choices.empty()) out += " -x -a '" + choices + "'";
    if (choices.empty() && !row.value.empty()) out += " -r";
    out += " -d '" + Quoted(row.text, "\\") + "'\n";
  }
  return out;
}

std::string Fish() {
  std::string out =
      "# Completion of batholith for fish:  batholith completion fish | source\n"
      "complete -c batholith -n __fish_use_subcommand -f -a 'help version completion man'\n"
      "complete -c batholith -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  for (const Command& command : Commands()) {
    out += fmt::format("complete -c batholith -n __fish_use_subcommand -f -a {} -d '{}'\n",
                       command.name, Quoted(command.summary, "\\"));
    const std::string here = std::string("__fish_seen_subcommand_from ") + command.name;
    std::string verbs;
    for (const CommandPage& page : command.pages()) verbs += " " + VerbOf(command, page);
    for (const CommandPage& page : command.pages()) {
      const std::string verb = VerbOf(command, page);
      if (verb.empty()) {
        out += FishFlags(page, here);
        continue;
      }
      out += fmt::format(
          "complete -c batholith -n '{}; and not __fish_seen_subcommand_from{}' -f -a {} -d '{}'\n",
          here, verbs, verb, Quoted(page.summary, "\\"));
      out += FishFlags(page, here + "; and __fish_seen_subcommand_from " + verb);
    }
  }
  return out;
}

}  // namespace

Result<std::string> CompletionScript(const std::string& shell) {
  if (shell == "bash") return Bash();
  if (shell == "zsh") return Zsh();
  if (shell == "fish") return Fish();
  static constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
  return Invalid("unknown shell " + Shown(shell) + DidYouMean(shell, kShells) +
                 " (bash, zsh or fish)");
}

}  // namespace batholith
