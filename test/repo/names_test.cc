// A name of the product's stands for one thing: two classes of one name in one program are taken
// for each other by the linker, without a word.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "test/repo/source_tree.h"

namespace batholith::repo {
namespace {

// "VolumeBinder" of a line that begins the definition of a class or struct at the left edge.
std::string DefinedIn(const std::string& line) {
  for (const std::string_view word : {"class ", "struct "}) {
    if (!line.starts_with(word) || !line.ends_with("{")) continue;
    std::string_view rest = std::string_view(line).substr(word.size());
    constexpr std::string_view kAttribute = "[[nodiscard]] ";
    if (rest.starts_with(kAttribute)) rest.remove_prefix(kAttribute.size());
    const std::size_t end = rest.find_first_of(" :<{");
    // A part of a class that is declared elsewhere.
    if (rest.substr(end).starts_with("::")) return {};
    return std::string(rest.substr(0, end));
  }
  return {};
}

TEST(Names, a_class_of_a_header_is_defined_once) {
  std::vector<std::string> folders = LayerFolders();
  std::erase_if(folders, [](const std::string& folder) { return folder == "test"; });
  std::map<std::string, std::string> first;  // by class and template arguments: its file
  for (const SourceFile& file : SourceFiles(folders)) {
    if (!file.path.ends_with(".h")) continue;
    for (const std::string& line : file.lines) {
      const std::string name = DefinedIn(line);
      if (name.empty() || line.contains('<')) continue;  // specialisations share a name
      const auto [at, added] = first.emplace(name, file.path);
      EXPECT_TRUE(added) << name << " is defined in " << at->second << " and in " << file.path;
    }
  }
  EXPECT_GT(first.size(), 100U);
}

}  // namespace
}  // namespace batholith::repo
