#include "codec/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "codec/decode.h"
#include "codec/yaml.h"

namespace batholith {

Result<std::string> ReadText(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Invalid(path + ": is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) return Invalid(path + ": cannot be read");
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

Result<std::vector<std::string>> ListFiles(const std::string& path, bool json) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_directory(path, error))
    return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (auto it = std::filesystem::recursive_directory_iterator(path, error);
       !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    const std::string extension = it->path().extension();
    const bool wanted =
        extension == ".yaml" || (json && (extension == ".yml" || extension == ".json"));
    if (it->is_regular_file() && wanted) files.push_back(it->path());
  }
  if (error) return Invalid(path + ": " + error.message());
  std::ranges::sort(files);
  return files;
}

Result<Loaded> LoadManifests(const std::vector<std::string>& paths, const LoadOptions& options) {
  ManifestDecoder decoder(options);
  for (const std::string& path : paths) {
    Result<std::vector<std::string>> files = ListFiles(path, true);
    if (!files) return std::unexpected(files.error());
    for (const std::string& file : *files) {
      Result<std::string> text = ReadText(file);
      if (!text) return std::unexpected(text.error());
      Result<std::vector<boost::json::value>> documents = ParseDocuments(*text, file);
      if (!documents) return std::unexpected(documents.error());
      for (std::size_t i = 0; i < documents->size(); ++i) {
        decoder.Add((*documents)[i], file + ": document " + std::to_string(i + 1));
      }
    }
  }
  return decoder.Finish();
}

}  // namespace batholith
