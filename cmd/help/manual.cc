#include "cmd/help/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cmd/help/command_table.h"
#include "cmd/version.h"

namespace batholith {
namespace {

// As troff takes it: nothing at the start of a line is a request, a hyphen is one, and a line may
// end behind a comma.
std::string Troff(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
      if (c == ',' && i + 1 < text.size() && text[i + 1] != ' ' && text[i + 1] != '\n')
        out += "\\:";
    }
    at_start = c == '\n';
  }
  return out;
}

std::string Dashed(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string Head(const std::string& name, std::string_view summary) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string line(summary);
  if (line.ends_with('.')) line.pop_back();
  return fmt::format(
      ".TH \"{}\" 1 \"\" \"batholith {}\" \"Batholith\"\n.ad l\n.SH NAME\n{} \\- {}\n",
      Troff(upper), OwnBuild().version, Troff(name), Troff(line));
}

std::string FlagText(const FlagRow& row) {
  std::string name;
  if (row.letter != 0) name = fmt::format("\\fB\\-{}\\fR, ", row.letter);
  name += "\\fB\\-\\-" + Troff(row.name) + "\\fR";
  if (!row.value.empty()) name += " \\fI" + Troff(row.value) + "\\fR";
  std::string text = ".TP\n" + name + "\n" + Troff(row.text);
  if (!row.otherwise.empty()) text += " (default " + Troff(row.otherwise) + ")";
  return text + "\n";
}

std::string PageText(const CommandPage& page) {
  std::string out = Head("batholith-" + Dashed(page.name), page.summary) +
                    ".SH SYNOPSIS\n.B batholith " + Troff(page.name) + "\n" +
                    Troff(page.arguments) + "\n.SH DESCRIPTION\n" + Troff(page.summary) + "\n";
  if (!page.text.empty()) out += ".PP\n" + Troff(page.text) + "\n";
  out += ".SH OPTIONS\n";
  for (const FlagRow& row : FlagRows(page)) out += FlagText(row);
  return out + ".SH SEE ALSO\n.BR batholith (1)\n";
}

std::string ProgramText() {
  std::string out = Head("batholith", "a batch scheduler for Kubernetes") +
                    ".SH SYNOPSIS\n.B batholith\n.I COMMAND\n[flags]\n.SH COMMANDS\n";
  std::string also;
  for (const Command& command : Commands()) {
    out += fmt::format(".TP\n.B {}\n{}\n", command.name, Troff(command.summary));
    for (const CommandPage& page : command.pages())
      also +=
          (also.empty() ? "" : ",\n") + (".BR batholith\\-" + Troff(Dashed(page.name)) + " (1)");
  }
  return out +
         ".SH EXIT STATUS\n0 done, 1 the answer is no, 2 bad input, 3 no API server, 4 told to end "
         "and something was cut short, 70 a bug of ours.\n.SH SEE ALSO\n" +
         also + "\n";
}

}  // namespace

std::vector<ManualPage> ManualPages() {
  std::vector<ManualPage> out{{"batholith.1", ProgramText()}};
  for (const Command& command : Commands()) {
    for (const CommandPage& page : command.pages())
      out.push_back({"batholith-" + Dashed(page.name) + ".1", PageText(page)});
  }
  return out;
}

Result<std::string> ManualOf(const std::vector<std::string>& words) {
  std::string name = "batholith";
  for (const std::string& word : words) name += "-" + word;
  for (const ManualPage& page : ManualPages()) {
    if (page.file == name + ".1") return page.text;
  }
  return Invalid("there is no manual page " + name + "; batholith man --write DIR writes all");
}

}  // namespace batholith
