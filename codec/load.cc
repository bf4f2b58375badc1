#include "codec/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "codec/decode.h"
#include "codec/yaml.h"

namespace batholith {

namespace {

// At most one byte more than a manifest may have, so that an endless stream ends.
Result<std::string> ReadAll(std::istream& in, const std::string& name) {
  constexpr std::size_t kChunk = std::size_t{1} << 20U;
  std::string text;
  while (in && text.size() <= kMaxManifestBytes) {
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    in.read(text.data() + before, static_cast<std::streamsize>(kChunk));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return Invalid(name + ": cannot be read");
  if (text.size() > kMaxManifestBytes) return Invalid(name + ": larger than 512 MB");
  return text;
}

}  // namespace

Result<std::string> ReadText(const std::string& path) {
  if (path == "-") return ReadAll(std::cin, "standard input");
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Invalid(path + ": is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) return Invalid(path + ": cannot be read");
  return ReadAll(in, path);
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
    std::error_code broken_link;
    if (wanted && !it->is_directory(broken_link)) files.push_back(it->path());
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
      const std::string name = file == "-" ? "standard input" : file;
      Result<std::vector<boost::json::value>> documents = ParseDocuments(*text, name);
      if (!documents) return std::unexpected(documents.error());
      for (std::size_t i = 0; i < documents->size(); ++i) {
        decoder.Add((*documents)[i], name + ": document " + std::to_string(i + 1));
      }
    }
  }
  return decoder.Finish();
}

}  // namespace batholith
