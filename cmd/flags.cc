#include "cmd/flags.h"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "api/did_you_mean.h"
#include "cmd/commands.h"
#include "cmd/help/help_text.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

const FlagRow* RowOfLetter(const std::vector<FlagRow>& rows, char letter) {
  const auto row = std::ranges::find(rows, letter, &FlagRow::letter);
  return row == rows.end() ? nullptr : &*row;
}

// One argument that is no value as the parser wants it. -o=json becomes --output=json, and a switch
// gets its value, since the parser would take the next word for that: --watch, -w and the letters
// of -Aw become --watch=true. What nobody knows is left as it is.
void AddNamed(const std::vector<FlagRow>& rows, std::string argument,
              std::vector<std::string>& out) {
  if (argument.starts_with("--")) {
    const auto row = std::ranges::find(rows, argument.substr(2), &FlagRow::name);
    out.push_back(row != rows.end() && row->is_switch ? argument + "=true" : argument);
    return;
  }
  while (argument.size() > 1 && argument[0] == '-') {
    const FlagRow* row = RowOfLetter(rows, argument[1]);
    if (row == nullptr) break;
    if (argument.substr(2, 1) == "=") {
      argument = "--" + row->name + argument.substr(2);
      break;
    }
    if (!row->is_switch) break;
    out.push_back("--" + row->name + "=true");
    argument.erase(1, 1);
    if (argument == "-") return;
  }
  out.push_back(argument);
}

std::vector<std::string> WithFlagsNamed(const CommandPage& page,
                                        const std::vector<std::string>& arguments) {
  const std::vector<FlagRow> rows = FlagRows(page);
  std::vector<std::string> out;
  auto next = arguments.begin();
  for (; next != arguments.end() && *next != "--"; ++next) AddNamed(rows, *next, out);
  out.insert(out.end(), next, arguments.end());
  return out;
}

// Of --token=SECRET and -tSECRET the name, with what may have been meant.
std::string UnknownFlag(const CommandPage& page, const std::string& given) {
  std::vector<std::string> names;
  for (const auto& option : page.flags.options()) names.push_back("--" + option->long_name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string name =
      given.starts_with("--") ? given.substr(0, given.find('=')) : given.substr(0, 2);
  return "unknown flag " + name + DidYouMean(name, known);
}

// Empty: nothing is wrong.
std::string Parse(const CommandPage& page, const std::vector<std::string>& arguments,
                  po::variables_map& values) {
  try {
    const int style =
        po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::positional_options_description positional;
    if (!page.positional.empty()) positional.add(page.positional.c_str(), -1);
    const std::vector<std::string> named = WithFlagsNamed(page, arguments);
    po::command_line_parser parser(named);
    parser.options(page.flags).style(style);
    if (!page.positional.empty()) parser.positional(positional);
    const po::parsed_options parsed = parser.run();
    for (const auto& option : parsed.options) {
      if (option.string_key.empty() && !option.original_tokens.empty())
        return "unexpected argument " + Shown(option.original_tokens.front());
    }
    po::store(parsed, values);
    po::notify(values);
  } catch (const po::unknown_option& e) {
    return UnknownFlag(page, e.get_option_name());
  } catch (const po::error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

ParsedFlags ParseFlags(const CommandPage& page, const std::vector<std::string>& arguments) {
  ParsedFlags out;
  const std::string wrong = Parse(page, arguments, out.values);
  if (!wrong.empty()) {
    std::cerr << "batholith " << page.name << ": " << wrong << "\nSee batholith " << page.name
              << " --help\n";
    out.stop = true;
    out.status = kBadInput;
  } else if (out.values.contains("help")) {
    std::cout << HelpText(page, HelpWidth());
    out.stop = true;
  }
  return out;
}

}  // namespace batholith
