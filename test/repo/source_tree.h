#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace batholith::repo {

// A source file of the project: its path from the root ("cache/x.cc") and its lines.
struct SourceFile {
  std::string path;
  std::vector<std::string> lines;
};

std::filesystem::path Root();

std::vector<std::string> ReadLines(const std::filesystem::path& path);

// Lines of a table under docs/, without comments and empty lines. Empty where the file is absent.
std::vector<std::string> ReadTable(std::string_view name);

// The parts between separators, without surrounding blanks and without empty parts.
std::vector<std::string> Split(std::string_view text, char separator);

// Every .h and .cc file below these folders of the root, ordered by path.
std::vector<SourceFile> SourceFiles(const std::vector<std::string>& folders);

// The folders of the project, as docs/layers.txt names them: a room of its own may lie inside
// another.
std::vector<std::string> LayerFolders();

}  // namespace batholith::repo
