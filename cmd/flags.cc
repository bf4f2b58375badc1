#include "cmd/flags.h"

#include <iostream>
#include <string_view>

#include "api/did_you_mean.h"
#include "cmd/commands.h"

namespace batholith {
namespace po = boost::program_options;

ParsedFlags ParseFlags(const std::string& command, const std::string& usage,
                       const po::options_description& flags,
                       const po::positional_options_description& positional,
                       const std::vector<std::string>& arguments) {
  ParsedFlags out;
  const auto complain = [&](const std::string& message) {
    std::cerr << "batholith " << command << ": " << message << "\nSee batholith " << command
              << " --help\n";
    out.stop = true;
    out.status = kBadInput;
  };
  try {
    const int style =
        po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(
        po::command_line_parser(arguments).options(flags).positional(positional).style(style).run(),
        out.values);
    po::notify(out.values);
  } catch (const po::unknown_option& e) {
    std::vector<std::string> names;
    for (const auto& option : flags.options()) names.push_back("--" + option->long_name());
    const std::vector<std::string_view> known(names.begin(), names.end());
    // Of --token=SECRET and -tSECRET the name.
    const std::string given = e.get_option_name();
    const std::string name =
        given.starts_with("--") ? given.substr(0, given.find('=')) : given.substr(0, 2);
    complain("unknown flag " + name + DidYouMean(name, known));
    return out;
  } catch (const po::error& e) {
    complain(e.what());
    return out;
  }
  if (out.values.contains("help")) {
    std::cout << usage << "\n\n" << flags;
    out.stop = true;
  }
  return out;
}

}  // namespace batholith
