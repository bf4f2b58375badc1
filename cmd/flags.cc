#include "cmd/flags.h"

#include <algorithm>
#include <iostream>
#include <numeric>

#include "cmd/commands.h"

namespace batholith {
namespace po = boost::program_options;
namespace {

std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t keep = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, keep});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestWord(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t distance = std::max<std::size_t>(word.size() / 2, 2);
  for (const std::string& k : known) {
    const std::size_t d = EditDistance(word, k);
    if (d < distance) {
      distance = d;
      best = k;
    }
  }
  return best;
}

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
    std::vector<std::string> known;
    for (const auto& option : flags.options()) known.push_back("--" + option->long_name());
    const std::string near = NearestWord(e.get_option_name(), known);
    complain("unknown flag " + e.get_option_name() +
             (near.empty() ? "" : "; did you mean " + near + "?"));
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
