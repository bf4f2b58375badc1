#include "test/repo/source_tree.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "test/source_dir.h"

namespace batholith::repo {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool IsSource(const std::filesystem::path& path) {
  return path.extension() == ".h" || path.extension() == ".cc";
}

}  // namespace

std::filesystem::path Root() { return SourceDir(); }

std::vector<std::string> ReadLines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> ReadTable(std::string_view name) {
  std::vector<std::string> lines = ReadLines(Root() / "docs" / name);
  std::erase_if(lines, [](const std::string& line) {
    const std::string_view text = Trimmed(line);
    return text.empty() || text.front() == '#';
  });
  return lines;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = Trimmed(text.substr(0, end));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::vector<SourceFile> SourceFiles(const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(Root() / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(Root() / folder)) {
      if (!entry.is_regular_file() || !IsSource(entry.path())) continue;
      files.push_back(
          {entry.path().lexically_relative(Root()).generic_string(), ReadLines(entry.path())});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  const auto twice = std::ranges::unique(files, {}, &SourceFile::path);  // a folder inside another
  files.erase(twice.begin(), twice.end());
  return files;
}

std::vector<std::string> LayerFolders() {
  std::vector<std::string> folders;
  for (const std::string& line : ReadTable("layers.txt")) {
    const std::vector<std::string> parts = Split(line, ':');
    if (!parts.empty()) folders.push_back(parts.front());
  }
  return folders;
}

}  // namespace batholith::repo
