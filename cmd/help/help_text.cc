#include "cmd/help/help_text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "api/printable.h"

namespace batholith {
namespace {

// A word that is wider than a line is cut behind its commas.
std::string_view Part(std::string_view word, std::size_t width) {
  if (word.size() <= width) return word;
  const std::size_t comma = word.rfind(',', width - 1);
  return comma == std::string_view::npos ? word : word.substr(0, comma + 1);
}

std::string NameOf(const FlagRow& row) {
  std::string name = row.letter == 0 ? "    " : fmt::format("-{}, ", row.letter);
  name += "--" + row.name;
  return row.value.empty() ? name : name + " " + row.value;
}

std::string TextOf(const FlagRow& row) {
  return row.otherwise.empty() ? row.text : row.text + " (default " + row.otherwise + ")";
}

}  // namespace

std::size_t HelpWidth() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40) return 80;
  return std::min<std::size_t>(size.ws_col, 100);
}

std::string Wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  bool first = true;  // of the line
  while (!text.empty()) {
    if (text.front() == '\n' || text.front() == ' ') {
      if (text.front() == '\n') {
        out += '\n';
        const bool more = text.size() > 1 && text[1] != '\n';
        if (more) out.append(indent, ' ');
        column = indent;
        first = true;
      }
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word =
        Part(text.substr(0, text.find_first_of(" \n")), width > indent ? width - indent : 1);
    const std::size_t size = DisplayWidth(std::string(word));
    if (!first && column + 1 + size > width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) out += ' ';
    column += size + (first ? 0 : 1);
    out += word;
    first = false;
    text.remove_prefix(word.size());
  }
  return out;
}

std::string HelpText(const CommandPage& page, std::size_t width) {
  std::string out = Wrapped("batholith " + page.name + " " + page.arguments, 4, width) + "\n\n" +
                    Wrapped(page.summary, 0, width) + "\n";
  if (!page.text.empty()) out += "\n" + Wrapped(page.text, 0, width) + "\n";
  constexpr std::size_t kWidestName = 30;
  const std::vector<FlagRow> rows = FlagRows(page);
  std::size_t names = 0;
  for (const FlagRow& row : rows) {
    if (const std::size_t size = NameOf(row).size(); size <= kWidestName)
      names = std::max(names, size);
  }
  const std::size_t column = 2 + names + 2;
  out += "\nFlags\n";
  for (const FlagRow& row : rows) {
    std::string line = "  " + NameOf(row);
    if (line.size() + 2 > column) line += "\n";
    line.append(line.back() == '\n' ? column : column - line.size(), ' ');
    out += line + Wrapped(TextOf(row), column, width) + "\n";
  }
  return out;
}

std::string VerbListText(const std::string& command, std::span<const CommandPage> pages,
                         const std::string& more, std::size_t width) {
  std::vector<std::string> names;
  std::size_t column = 0;
  for (const CommandPage& page : pages) {
    std::string name = page.name.substr(command.size() + 1) + " " + page.arguments;
    if (name.ends_with(" [flags]")) name.erase(name.size() - std::string(" [flags]").size());
    column = std::max(column, name.size());
    names.push_back(std::move(name));
  }
  column += 4;
  std::string out = "batholith " + command + " VERB [flags]\n\n";
  for (std::size_t i = 0; i < pages.size(); ++i)
    out +=
        fmt::format("  {:<{}}{}\n", names[i], column - 2, Wrapped(pages[i].summary, column, width));
  return out + "\n" +
         Wrapped("batholith " + command + " VERB --help says more. " + more, 0, width) + "\n";
}

}  // namespace batholith
