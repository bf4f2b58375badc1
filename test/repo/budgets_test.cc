// How long files and functions may be. An exception is a line in docs/budgets.txt with its reason,
// up to a hard stop; a line that is no longer needed is an error as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "test/repo/source_tree.h"

namespace batholith::repo {
namespace {

constexpr std::size_t kFile = 400;
constexpr std::size_t kHeader = 250;
constexpr std::size_t kSubcommand = 200;  // a file of cmd/
constexpr std::size_t kPlugin = 300;      // all files of one plugin but its options
constexpr std::size_t kFunction = 70;
constexpr std::size_t kHardStop = 600;  // of a file or a plugin, whatever its reason

// docs/budgets.txt: "what : lines : reason". What is a file, a folder of plugins/, or
// "file function" for a function that begins with that line's text up to the bracket.
class Exceptions {
 public:
  Exceptions() {
    for (const std::string& line : ReadTable("budgets.txt")) {
      const std::vector<std::string> parts = Split(line, ':');
      if (parts.size() < 3) {
        ADD_FAILURE() << "docs/budgets.txt: what : lines : reason, got: " << line;
        continue;
      }
      lines_[parts[0]] = std::stoul(parts[1]);
    }
  }

  void Check(const std::string& what, std::size_t lines, std::size_t budget) {
    if (lines <= budget) return;
    const auto entry = lines_.find(what);
    if (entry == lines_.end()) {
      ADD_FAILURE() << what << ": " << lines << " lines, the budget is " << budget
                    << " (an exception is a line in docs/budgets.txt)";
      return;
    }
    used_.insert(what);
    EXPECT_LE(lines, std::min(entry->second, kHardStop)) << what << " outgrew its exception";
  }

  std::vector<std::string> Unused(bool (*relevant)(std::string_view)) const {
    std::vector<std::string> unused;
    for (const auto& [what, lines] : lines_) {
      if (relevant(what) && !used_.contains(what)) unused.push_back(what);
    }
    return unused;
  }

 private:
  std::map<std::string, std::size_t> lines_;
  std::set<std::string> used_;
};

bool IsFile(std::string_view what) {
  return !what.contains(' ') && (what.ends_with(".cc") || what.ends_with(".h"));
}
bool IsFolder(std::string_view what) { return !what.contains(' ') && !IsFile(what); }
bool IsFunction(std::string_view what) { return what.contains(' '); }

std::size_t BudgetOf(const std::string& path) {
  if (path.starts_with("cmd/") && path.rfind('/') == 3) return kSubcommand;
  return path.ends_with(".h") ? kHeader : kFile;
}

struct Function {
  std::string name;  // its first line up to the bracket
  std::size_t lines = 0;
};

// What clang-format's layout shows: a definition begins on the last line of its indent before the
// closing bracket that stands alone on the same indent. Two indents: free functions, and those
// inside a class.
std::vector<Function> Functions(const std::vector<std::string>& lines) {
  std::vector<Function> functions;
  for (const std::size_t indent : {std::size_t{0}, std::size_t{2}}) {
    const std::string close = std::string(indent, ' ') + "}";
    std::size_t begin = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      if (line == close) {
        const std::string& first = lines[begin];
        functions.push_back({first.substr(indent, first.find('(') - indent), i - begin + 1});
        begin = i;
      } else if (line.find_first_not_of(' ') == indent && line[indent] != '}' &&
                 line[indent] != '#') {
        begin = i;
      }
    }
  }
  return functions;
}

TEST(Budgets, files_are_short) {
  Exceptions exceptions;
  for (const SourceFile& file : SourceFiles(LayerFolders())) {
    exceptions.Check(file.path, file.lines.size(), BudgetOf(file.path));
  }
  EXPECT_EQ(exceptions.Unused(IsFile), std::vector<std::string>{});
}

TEST(Budgets, plugins_are_short) {
  Exceptions exceptions;
  std::map<std::string, std::size_t> plugins;
  for (const SourceFile& file : SourceFiles({"plugins"})) {
    const std::vector<std::string> parts = Split(file.path, '/');
    if (parts.size() < 3 || parts[1] == "common" || parts[2].starts_with("options.")) continue;
    plugins[parts[0] + "/" + parts[1]] += file.lines.size();
  }
  for (const auto& [plugin, lines] : plugins) exceptions.Check(plugin, lines, kPlugin);
  EXPECT_EQ(exceptions.Unused(IsFolder), std::vector<std::string>{});
}

TEST(Budgets, functions_are_short) {
  Exceptions exceptions;
  for (const SourceFile& file : SourceFiles(LayerFolders())) {
    for (const Function& function : Functions(file.lines)) {
      exceptions.Check(file.path + " " + function.name, function.lines, kFunction);
    }
  }
  EXPECT_EQ(exceptions.Unused(IsFunction), std::vector<std::string>{});
}

TEST(Budgets, functions_are_measured_from_their_first_line_to_the_closing_bracket) {
  const std::vector<Function> functions = Functions(
      {"int F(int a,", "      int b) {", "  if (a) {", "    b = 1;", "  }", "  return b;", "}"});
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0].name, "int F");
  EXPECT_EQ(functions[0].lines, 7U);
  EXPECT_EQ(functions[1].lines, 3U);  // the block inside
}

}  // namespace
}  // namespace batholith::repo
