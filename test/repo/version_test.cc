// The version stands in CMakeLists.txt; what else names it names the same.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "test/repo/source_tree.h"

namespace batholith::repo {
namespace {

// What stands behind `before` in the first line of `file` that has it, up to a character that no
// version has; empty where no line does.
std::string TextBehind(std::string_view before, std::string_view file) {
  for (const std::string& line : ReadLines(Root() / file)) {
    const std::size_t at = line.find(before);
    if (at == std::string::npos) continue;
    const std::string rest = line.substr(at + before.size());
    return rest.substr(0, rest.find_first_not_of("0123456789.-abcdefghijklmnopqrstuvwxyz"));
  }
  return "";
}

std::string Version() { return TextBehind("project(batholith VERSION ", "CMakeLists.txt"); }

TEST(Version, stands_in_CMakeLists) { EXPECT_NE(Version(), ""); }

TEST(Version, is_the_same_wherever_it_is_named) {
  struct Place {
    std::string_view file, before;
  };
  for (const Place& place : {
           Place{"CHANGELOG.md", "## "},
           Place{"installer/helm/batholith/Chart.yaml", "version: "},
           Place{"installer/helm/batholith/Chart.yaml", "appVersion: \""},
           Place{"installer/kubernetes/deployment.yaml", "image: \"batholith:"},
           Place{"installer/dockerfile/Dockerfile", "-t batholith:"},
           Place{"docs/live.md", "-t batholith:"},
           Place{"docs/live.md", "newTag: "},
       }) {
    EXPECT_EQ(TextBehind(place.before, place.file), Version())
        << place.file << ", behind " << place.before;
  }
}

}  // namespace
}  // namespace batholith::repo
