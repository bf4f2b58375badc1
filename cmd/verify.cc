#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <boost/json.hpp>
#include <iostream>
#include <thread>

#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/indented_json.h"
#include "cmd/yaml_text.h"
#include "codec/load.h"
#include "sim/scenario/check_scenario.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

// A scenario may pass because an object or a field of it does nothing; one that fails shows it
// among the rest.
void PrintIdle(const Scenario& s, const Verdict& v) {
  const std::string where = "warning: " + s.file + ": " + s.name + ": ";
  for (const std::string& line : v.refused) std::cerr << where << "refused: " << line << "\n";
  for (const std::string& line : v.doubts) std::cerr << where << line << "\n";
}

void PrintText(const Scenario& s, const Verdict& v) {
  if (v.passed()) return;
  std::cout << "FAILED " << s.file << ": " << s.name << "\n";
  for (const Failure& f : v.failures)
    std::cout << "  expected " << f.expected << "\n       got " << f.got << "\n";
  for (const std::string& line : v.refused) std::cout << "   refused " << line << "\n";
  for (const std::string& line : v.doubts) std::cout << "   warning " << line << "\n";
  for (const std::string& w : v.warnings) std::cout << "   warning " << w << "\n";
}

void PrintJson(const Scenario& s, const Verdict& v) {
  boost::json::array failures;
  for (const Failure& f : v.failures)
    failures.push_back({{"expected", f.expected}, {"got", f.got}});
  boost::json::object line;
  line["file"] = s.file;
  line["name"] = s.name;
  line["passed"] = v.passed();
  line["failures"] = std::move(failures);
  line["seconds"] = v.seconds;
  std::cout << JsonFor(STDOUT_FILENO, line);
}

// Runs all, `jobs` side by side; the verdicts stand in the order of the scenarios.
std::vector<Verdict> CheckAll(const std::vector<Scenario>& scenarios, int jobs,
                              const CheckOptions& options) {
  std::vector<Verdict> verdicts(scenarios.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < scenarios.size(); i = next++)
      verdicts[i] = CheckScenario(scenarios[i], options);
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < jobs; ++i) workers.emplace_back(work);
  work();
  for (std::thread& t : workers) t.join();
  return verdicts;
}

struct Wanted {
  std::vector<std::string> paths;
  std::string output;
  int jobs = 1;
  bool expand = false, lenient = false, strict = false;
};

CommandPage PageOf(Wanted& w) {
  CommandPage page{"verify", "[flags] PATH...",
                   "Runs scenario files: a cluster, a conf, and what must come out.",
                   "Exit status: 0 all pass, 1 one fails."};
  page.positional = "path";
  auto add = page.flags.add_options();
  add("help,h", "this text");
  add("path", po::value(&w.paths)->value_name("PATH"),
      "scenario files and folders; also without the flag");
  add("expand", Switch(w.expand), "print the scenarios with their short forms written out");
  add("lenient", Switch(w.lenient),
      "leave out what a conf names and this build does not have, as a daemon does");
  add("strict", Switch(w.strict),
      "a field or a kind that is not known, and an object that is refused, fails its scenario");
  add("output,o", po::value(&w.output)->default_value("text"),
      "text or json (one object a line, on a terminal in many)");
  add("jobs",
      po::value(&w.jobs)->value_name("N")->default_value(
          static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
      "scenarios side by side");
  return page;
}

}  // namespace

CommandPage VerifyPage() {
  Wanted wanted;
  return PageOf(wanted);
}

int VerifyCommand(const std::vector<std::string>& arguments) {
  Wanted wanted;
  const ParsedFlags parsed = ParseFlags(PageOf(wanted), arguments);
  if (parsed.stop) return parsed.status;
  const auto& [paths, output, jobs, expand, lenient, strict] = wanted;
  const auto complain = [](const std::string& message) {
    std::cerr << "batholith verify: " << message << "\n";
    return kBadInput;
  };
  if (paths.empty()) return complain("at least one PATH is required");
  if (output != "text" && output != "json")
    return complain("--output " + output + ": must be text or json");
  if (jobs < 1) return complain("--jobs must be at least 1");
  std::vector<Scenario> scenarios;
  for (const std::string& path : paths) {
    Result<std::vector<std::string>> files = ListFiles(path, /*json=*/false);
    if (!files) return complain(files.error().message);
    for (const std::string& file : *files) {
      Result<std::vector<Scenario>> loaded = LoadScenarios(file);
      if (!loaded) return complain(loaded.error().message);
      for (Scenario& s : *loaded) scenarios.push_back(std::move(s));
    }
  }
  if (expand) {
    for (const Scenario& s : scenarios) std::cout << "---\n" << YamlText(ExpandedDocument(s));
    return kDone;
  }
  const CheckOptions options{.missing = lenient ? MissingParts::kLeftOut : MissingParts::kRefused,
                             .strict = strict};
  const std::vector<Verdict> verdicts = CheckAll(scenarios, std::min(jobs, 256), options);
  std::size_t failed = 0;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    failed += verdicts[i].passed() ? 0 : 1;
    if (verdicts[i].passed() || output == "json") PrintIdle(scenarios[i], verdicts[i]);
    if (output == "json") {
      PrintJson(scenarios[i], verdicts[i]);
    } else {
      PrintText(scenarios[i], verdicts[i]);
    }
  }
  if (output == "text")
    std::cout << scenarios.size() - failed << " passed, " << failed << " failed\n";
  return failed == 0 ? kDone : kAnswerIsNo;
}

}  // namespace batholith
