#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace batholith {

// A command as its help, its manual page and completion show it, and as its flags are parsed.
struct CommandPage {
  std::string name;       // "queue list"
  std::string arguments;  // "-f PATH... [flags]"
  std::string summary;    // a line
  std::string text = {};  // paragraphs that say more; may be empty
  boost::program_options::options_description flags{"Flags"};
  std::string positional =
      {};  // the flag that words without a flag belong to; empty: there are none
};

// A flag that is on or off: alone it is on, and it may be written --flag=false. Needs no `add`.
boost::program_options::typed_value<bool>* Switch(bool& value, bool otherwise = false);

// A flag as a person reads it.
struct FlagRow {
  char letter = 0;  // 0: none
  std::string name;
  std::string value;      // what stands for the value: "PATH"; empty: a switch
  std::string otherwise;  // the default; empty: none, or off
  std::string text;
  bool is_switch = false;  // made by Switch
  bool positional = false;
};
std::vector<FlagRow> FlagRows(const CommandPage& page);

}  // namespace batholith
