// Tables of the documents against what is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cmd/metrics/table.h"
#include "test/repo/source_tree.h"

namespace batholith::repo {
namespace {

std::string TextOf(const std::filesystem::path& path) {
  std::string text;
  for (const std::string& line : ReadLines(path)) text += line + "\n";
  return text;
}

// Every `topic/name` (a scenario) and `topic/` (all of a folder) between backticks in the last cell
// of a table's rows.
std::set<std::string> ScenariosNamedIn(const std::filesystem::path& path) {
  std::set<std::string> names;
  for (const std::string& line : ReadLines(path)) {
    if (!line.starts_with("| ")) continue;
    const std::vector<std::string> cells = Split(line, '|');
    for (const std::string& name : Split(cells.back(), '`')) {
      if (name.contains('/')) names.insert(name);
    }
  }
  return names;
}

// "| `name` | type | `label`, `label` | help |" of docs/metrics.md, each as "name type a,b help".
std::vector<std::string> DocumentedRows() {
  std::vector<std::string> rows;
  for (const std::string& line : ReadLines(Root() / "docs" / "metrics.md")) {
    if (line.starts_with("## What Volcano has")) break;
    if (!line.starts_with("| `")) continue;
    std::string plain = line;
    std::erase(plain, '`');
    const std::vector<std::string> cells = Split(plain, '|');
    std::string labels;  // a metric without labels has an empty cell, which Split leaves out
    if (cells.size() == 4) labels = cells[2];
    std::erase(labels, ' ');
    rows.push_back(cells[0] + " " + cells[1] + " " + labels + " " + cells.back());
  }
  return rows;
}

std::string LabelsOf(const MetricRow& row) {
  std::string labels;
  for (const std::string_view label : row.labels())
    labels += (labels.empty() ? "" : ",") + std::string(label);
  return labels;
}

TEST(Docs, every_scenario_and_test_that_parity_names_exists) {
  const std::set<std::string> named = ScenariosNamedIn(Root() / "docs" / "parity.md");
  EXPECT_FALSE(named.empty());
  for (const std::string& name : named) {
    const bool test = name.starts_with("test/");  // what no scenario can hold
    const std::string file = name.ends_with('/') || test ? name : name + ".yaml";
    EXPECT_TRUE(std::filesystem::exists(test ? Root() / file : Root() / "test/scenarios" / file))
        << name;
  }
}

TEST(Docs, every_quirk_that_has_a_scenario_has_a_line_in_parity) {
  const std::set<std::string> named = ScenariosNamedIn(Root() / "docs" / "parity.md");
  for (const auto& entry : std::filesystem::directory_iterator(Root() / "test/scenarios/quirks")) {
    const std::string name = "quirks/" + entry.path().stem().string();
    EXPECT_TRUE(named.contains(name)) << name << " is not in docs/parity.md";
  }
}

// A feature that nothing holds is one that nobody would miss when it breaks.
TEST(Docs, every_argument_of_a_conf_has_a_row_in_parity) {
  const std::string parity = TextOf(Root() / "docs" / "parity.md");
  int arguments = 0;
  for (const std::string& line : ReadLines(Root() / "docs" / "conf.md")) {
    const bool retired = line.starts_with("- `");
    if (!retired && !line.starts_with("| `")) continue;
    const std::string name = Split(line, '`')[1];
    if (name.contains('/')) continue;  // a part of another one
    ++arguments;
    EXPECT_TRUE(parity.contains("`" + name + "`")) << name << " is not in docs/parity.md";
  }
  EXPECT_GT(arguments, 0);
}

// Short enough to be read in one sitting. A line is counted in characters, as an editor shows it.
TEST(Docs, the_architecture_is_short) {
  const std::vector<std::string> lines = ReadLines(Root() / "docs" / "architecture.md");
  EXPECT_LT(lines.size(), 200U);
  for (const std::string& line : lines) {
    const auto characters = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_LE(characters, 120) << line;
  }
}

TEST(Docs, every_plugin_and_action_is_in_the_readme) {
  const std::string readme = TextOf(Root() / "README.md");
  for (const char* folder : {"plugins", "actions"}) {
    for (const auto& entry : std::filesystem::directory_iterator(Root() / folder)) {
      std::string name = entry.path().filename().string();
      if (!entry.is_directory() || name == "common") continue;
      for (char& c : name) c = c == '_' ? '-' : c;
      EXPECT_TRUE(readme.contains(name)) << folder << "/" << name << " is not in README.md";
    }
  }
}

TEST(Docs, the_metrics_are_those_of_the_table) {
  std::vector<std::string> rows;
  for (const MetricRow& row : MetricTable()) {
    rows.push_back(std::string(row.name) + " " + MetricTypeName(row.type) + " " + LabelsOf(row) +
                   " " + std::string(row.help));
  }
  EXPECT_EQ(DocumentedRows(), rows);
}

TEST(Docs, the_architecture_fits_on_200_lines) {
  EXPECT_LE(ReadLines(Root() / "docs" / "architecture.md").size(), 200U);
}

}  // namespace
}  // namespace batholith::repo
