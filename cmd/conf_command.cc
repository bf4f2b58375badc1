#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>

#include "actions/builtin.h"
#include "api/did_you_mean.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/help/help_text.h"
#include "cmd/offline/simulation.h"
#include "codec/load.h"
#include "conf/explain.h"
#include "conf/load.h"
#include "plugins/builtin.h"
#include "scheduler/compile_conf.h"
#include "sim/run/run_sessions.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

using Words = std::vector<std::string>;

int Complain(const std::string& verb, const std::string& message) {
  std::cerr << "batholith conf " << verb << ": " << message << "\n";
  return kBadInput;
}

CommandPage ExplainPage(Words& names) {
  CommandPage page{"conf explain", "[NAME]",
                   "Prints the reference of all plugins and actions with their arguments, or that "
                   "of one.",
                   ""};
  page.positional = "name";
  auto add = page.flags.add_options();
  add("help,h", "this text");
  add("name", po::value(&names)->value_name("NAME"), "of a plugin or an action");
  return page;
}

int Explain(const Words& arguments) {
  Words names;
  const ParsedFlags parsed = ParseFlags(ExplainPage(names), arguments);
  if (parsed.stop) return parsed.status;
  if (names.size() > 1) return Complain("explain", "one NAME at most");
  const Registry registry{BuiltinPlugins(), BuiltinActions()};
  if (names.empty()) {
    std::cout << ExplainConf(registry);
    return kDone;
  }
  const Result<std::string> section = ExplainName(registry, names[0]);
  if (!section) return Complain("explain", section.error().message);
  std::cout << *section;
  return kDone;
}

struct Check {
  Words files;
  Words manifests;
  bool lenient = false;
};

CommandPage CheckPage(Check& check) {
  CommandPage page{
      "conf check", "FILE... [-f PATH]...",
      "Says what is wrong with scheduler confs, and what in them has no effect.",
      "A FILE is a conf, or a ConfigMap with one in it. Exit status: 0 nothing to say, "
      "1 something, 2 a file cannot be read."};
  page.positional = "conf";
  auto add = page.flags.add_options();
  add("help,h", "this text");
  add("conf", po::value(&check.files)->value_name("FILE"), "a conf; also without the flag");
  add("file,f", po::value(&check.manifests)->value_name("PATH"),
      "manifests of a cluster, as simulate takes them (repeat): also says what in it cannot work "
      "under the conf");
  add("lenient", Switch(check.lenient),
      "what this build does not have is a warning, and the rest is checked, too");
  return page;
}

// What the manifests hold; nothing where there are none.
Result<std::optional<ClusterObjects>> ClusterOf(const Words& manifests) {
  if (manifests.empty()) return std::nullopt;
  Result<Loaded> loaded = LoadManifests(manifests, {.now = kDefaultNow});
  if (!loaded) return std::unexpected(loaded.error());
  PrintWarnings(loaded->warnings);
  if (!loaded->refused.empty()) return Invalid(RefusedText(loaded->refused));
  return std::move(loaded->objects);
}

// The exit status.
int CheckFile(const std::string& file, MissingParts missing,
              const std::optional<ClusterObjects>& cluster) {
  const Result<std::string> text = ReadText(file, kMaxConfBytes);
  if (!text) return Complain("check", text.error().message);
  const Result<CompiledConf> conf = CompileConf(*text, file, missing);
  if (!conf) {
    std::cout << "error: " << conf.error().message << "\n";
    return kAnswerIsNo;
  }
  Words warnings = conf->warnings;
  if (cluster) {
    RunOptions figures;
    figures.cycles = 0;
    Words more = RunSessions(*cluster, conf->pipeline, figures).warnings;
    std::ranges::move(more, std::back_inserter(warnings));
  }
  for (const std::string& warning : warnings) std::cout << "warning: " << warning << "\n";
  if (!warnings.empty()) return kAnswerIsNo;
  std::cout << file << ": good\n";
  return kDone;
}

int CheckFiles(const Words& arguments) {
  Check check;
  const ParsedFlags parsed = ParseFlags(CheckPage(check), arguments);
  if (parsed.stop) return parsed.status;
  if (check.files.empty())
    return Complain("check", check.manifests.empty()
                                 ? "a FILE is missing"
                                 : "a FILE is missing: a conf, beside the manifests of -f");
  const Result<std::optional<ClusterObjects>> cluster = ClusterOf(check.manifests);
  if (!cluster) return Complain("check", cluster.error().message);
  const MissingParts missing = check.lenient ? MissingParts::kLeftOut : MissingParts::kRefused;
  int status = kDone;
  for (const std::string& file : check.files)
    status = std::max(status, CheckFile(file, missing, *cluster));
  return status;
}

}  // namespace

std::vector<CommandPage> ConfPages() {
  Check check;
  Words names;
  std::vector<CommandPage> pages;
  pages.push_back(CheckPage(check));
  pages.push_back(ExplainPage(names));
  return pages;
}

int ConfCommand(const Words& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    (arguments.empty() ? std::cerr : std::cout)
        << VerbListText("conf", ConfPages(), "", HelpWidth());
    return arguments.empty() ? kBadInput : kDone;
  }
  const Words rest(arguments.begin() + 1, arguments.end());
  if (arguments[0] == "explain") return Explain(rest);
  if (arguments[0] == "check") return CheckFiles(rest);
  static constexpr std::string_view kVerbs[] = {"check", "explain"};
  std::cerr << "batholith conf: unknown verb " << Shown(arguments[0])
            << DidYouMean(arguments[0], kVerbs) << "\nSee batholith conf --help\n";
  return kBadInput;
}

}  // namespace batholith
