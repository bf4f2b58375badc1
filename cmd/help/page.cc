#include "cmd/help/page.h"

namespace batholith {
namespace po = boost::program_options;

po::typed_value<bool>* Switch(bool& value, bool otherwise) {
  return po::value(&value)->default_value(otherwise)->implicit_value(true);
}

std::vector<FlagRow> FlagRows(const CommandPage& page) {
  std::vector<FlagRow> rows;
  for (const auto& option : page.flags.options()) {
    FlagRow& row = rows.emplace_back();
    row.name = option->long_name();
    row.text = option->description();
    row.positional = row.name == page.positional;
    const std::string letter =
        option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    if (letter.size() == 2) row.letter = letter[1];
    row.is_switch = dynamic_cast<const po::typed_value<bool>*>(option->semantic().get()) != nullptr;
    // Boost's name of a value: what stands for it, then " (=default)".
    const std::string shown = option->semantic()->name();
    const std::size_t otherwise = shown.find(" (=");
    if (otherwise != std::string::npos)
      row.otherwise = shown.substr(otherwise + 3, shown.size() - otherwise - 4);
    if (row.is_switch) {
      row.otherwise = row.otherwise == "1" ? "true" : "";
    } else if (option->semantic()->max_tokens() > 0) {
      row.value = shown.substr(0, otherwise);
      if (row.value == "arg") row.value = "VALUE";
    }
  }
  return rows;
}

}  // namespace batholith
