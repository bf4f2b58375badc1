#include <iostream>

#include "actions/builtin.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "conf/explain.h"
#include "plugins/builtin.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

constexpr const char* kUsage =
    "batholith conf explain [NAME]\n\n"
    "Prints the reference of all plugins and actions with their arguments, or that of one";

}  // namespace

int ConfCommand(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  po::options_description flags("Flags");
  auto add = flags.add_options();
  add("help,h", "this text");
  add("word", po::value(&words), "explain, and a name; also without the flag");
  po::positional_options_description positional;
  positional.add("word", -1);
  const ParsedFlags parsed = ParseFlags("conf", kUsage, flags, positional, arguments);
  if (parsed.stop) return parsed.status;
  const auto complain = [](const std::string& message) {
    std::cerr << "batholith conf: " << message << "\n";
    return kBadInput;
  };
  if (words.empty() || words.size() > 2 || words[0] != "explain")
    return complain("must be conf explain [NAME], see batholith conf --help");
  const Registry registry{BuiltinPlugins(), BuiltinActions()};
  if (words.size() == 1) {
    std::cout << ExplainConf(registry);
    return kDone;
  }
  const Result<std::string> section = ExplainName(registry, words[1]);
  if (!section) return complain(section.error().message);
  std::cout << *section;
  return kDone;
}

}  // namespace batholith
