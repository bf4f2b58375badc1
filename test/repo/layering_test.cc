// Every include is an edge between folders; docs/layers.txt lists the edges that may exist, and the
// files that may use each third-party library.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "test/repo/source_tree.h"

namespace batholith::repo {
namespace {

struct Layer {
  std::set<std::string> folders;
  std::map<std::string, std::set<std::string>>
      libraries;  // its only users; empty: the whole folder
};

Layer ParseLayer(std::string_view rest) {
  Layer layer;
  const std::size_t bar = std::min(rest.find('|'), rest.size());
  for (const std::string& folder : Split(rest.substr(0, bar), ' ')) layer.folders.insert(folder);
  if (bar == rest.size()) return layer;
  for (const std::string& entry : Split(rest.substr(bar + 1), ',')) {
    const std::vector<std::string> words = Split(entry, ' ');
    std::set<std::string>& users = layer.libraries[words.front()];
    for (std::size_t i = 2; i < words.size(); ++i) users.insert(words[i]);
  }
  return layer;
}

std::map<std::string, Layer> Layers() {
  std::map<std::string, Layer> layers;
  for (const std::string& line : ReadTable("layers.txt")) {
    const std::size_t colon = std::min(line.find(':'), line.size() - 1);
    layers[Split(line.substr(0, colon), ' ').front()] =
        ParseLayer(std::string_view(line).substr(colon + 1));
  }
  return layers;
}

struct Include {
  std::string path;
  bool quoted = false;
};

std::optional<Include> ParseInclude(std::string_view line) {
  constexpr std::string_view kDirective = "#include ";
  if (!line.starts_with(kDirective) || line.size() <= kDirective.size() + 1) return std::nullopt;
  const char open = line[kDirective.size()];
  const char close = open == '"' ? '"' : '>';
  const std::size_t begin = kDirective.size() + 1;
  const std::size_t end = line.find(close, begin);
  if (end == std::string_view::npos) return std::nullopt;
  return Include{std::string(line.substr(begin, end - begin)), open == '"'};
}

// "fmt" of "fmt/format.h", "boost/json" of "boost/json/value.hpp" and of "boost/json.hpp"; empty
// for headers of the language and the system.
std::string LibraryOf(const std::string& include) {
  if (include == "yaml.h") return "libyaml";
  const std::vector<std::string> parts = Split(include, '/');
  if (parts.size() < 2 || parts[0] == "sys" || parts[0] == "netinet" || parts[0] == "arpa")
    return "";
  if (parts[0] != "boost") return parts[0];
  return "boost/" + std::filesystem::path(parts[1]).stem().string();
}

// The room that the path lies in: the longest folder of it that has a line.
std::string FolderOf(const std::map<std::string, Layer>& layers, const std::string& path) {
  std::size_t end = path.rfind('/');
  while (end != std::string::npos && !layers.contains(path.substr(0, end)))
    end = end == 0 ? std::string::npos : path.rfind('/', end - 1);
  return end == std::string::npos ? path.substr(0, path.find('/')) : path.substr(0, end);
}

// What is wrong with one include of one file; empty: nothing.
std::string Complaint(const std::map<std::string, Layer>& layers, const std::string& file,
                      const Include& include) {
  const std::string folder = FolderOf(layers, file);
  const Layer& layer = layers.at(folder);
  if (include.quoted) {
    const std::string target = FolderOf(layers, include.path);
    if (!std::filesystem::exists(Root() / include.path)) return "is no path from the root";
    if (target == folder || layer.folders.contains(target)) return "";
    return "is not among the folders of " + folder;
  }
  const std::string library = LibraryOf(include.path);
  if (library.empty()) return "";
  const auto entry = layer.libraries.find(library);
  if (entry == layer.libraries.end()) return library + " is not for " + folder;
  const std::string name = std::filesystem::path(file).filename().string();
  if (entry->second.empty() || entry->second.contains(name)) return "";
  return library + " is for a file of its own in " + folder;
}

// plugins/gang may use plugins/common, but no other plugin; the same for actions.
std::string SiblingComplaint(const std::string& file, const Include& include) {
  const std::string folder = file.substr(0, file.find('/'));
  if (!include.quoted || (folder != "plugins" && folder != "actions")) return "";
  const std::vector<std::string> from = Split(file, '/');
  const std::vector<std::string> to = Split(include.path, '/');
  if (from.size() < 3 || to.size() < 3 || to[0] != folder) return "";
  if (to[1] == from[1] || to[1] == "common") return "";
  return from[1] + " must not know " + to[1];
}

TEST(Layering, every_include_is_an_edge_that_docs_layers_allows) {
  const std::map<std::string, Layer> layers = Layers();
  const std::vector<SourceFile> files = SourceFiles(LayerFolders());
  ASSERT_FALSE(files.empty());
  for (const SourceFile& file : files) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::optional<Include> include = ParseInclude(file.lines[i]);
      if (!include) continue;
      const std::string where =
          file.path + ":" + std::to_string(i + 1) + ": " + include->path + ": ";
      const std::string complaint = Complaint(layers, file.path, *include);
      EXPECT_EQ(complaint, "") << where << complaint;
      const std::string sibling = SiblingComplaint(file.path, *include);
      EXPECT_EQ(sibling, "") << where << sibling;
    }
  }
}

TEST(Layering, the_list_itself_has_no_cycle) {
  std::set<std::string> above;
  for (const std::string& folder : LayerFolders()) {
    const Layer layer = Layers().at(folder);
    for (const std::string& used : layer.folders) {
      EXPECT_TRUE(above.contains(used)) << folder << " names " << used << ", which stands below it";
    }
    above.insert(folder);
  }
}

TEST(Layering, every_folder_with_sources_has_a_line) {
  const std::vector<std::string> folders = LayerFolders();
  for (const auto& entry : std::filesystem::directory_iterator(Root())) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name.starts_with(".") || name == "build") continue;
    if (SourceFiles({name}).empty()) continue;
    // One of which every part is a room of its own has no sources beside them.
    const bool has_line = std::ranges::any_of(folders, [&](const std::string& folder) {
      return folder == name || folder.starts_with(name + "/");
    });
    EXPECT_TRUE(has_line) << name << " has no line in docs/layers.txt";
  }
}

TEST(Layering, a_folder_inside_another_is_a_room_where_it_has_a_line) {
  const std::map<std::string, Layer> layers{{"cmd", {}}, {"actions/slack/model", {}}};
  EXPECT_EQ(FolderOf(layers, "actions/slack/model/shape.h"), "actions/slack/model");
  EXPECT_EQ(FolderOf(layers, "actions/slack/slack.h"), "actions");
  EXPECT_EQ(FolderOf(layers, "cmd/metrics/table.h"), "cmd");
}

TEST(Layering, includes_and_libraries_are_recognised) {
  EXPECT_EQ(ParseInclude("#include \"api/ids.h\"")->path, "api/ids.h");
  EXPECT_TRUE(ParseInclude("#include \"api/ids.h\"")->quoted);
  EXPECT_FALSE(ParseInclude("#include <vector>")->quoted);
  EXPECT_FALSE(ParseInclude("int include;").has_value());
  EXPECT_EQ(LibraryOf("vector"), "");
  EXPECT_EQ(LibraryOf("sys/resource.h"), "");
  EXPECT_EQ(LibraryOf("fmt/format.h"), "fmt");
  EXPECT_EQ(LibraryOf("boost/json.hpp"), "boost/json");
  EXPECT_EQ(LibraryOf("boost/json/value.hpp"), "boost/json");
}

}  // namespace
}  // namespace batholith::repo
