#include "codec/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include "codec/decode.h"

namespace batholith {

namespace {

// Little more than a text may have, so that an endless stream ends; of binary data only a part.
Result<std::string> ReadAll(std::istream& in, const std::string& name, std::size_t most_bytes) {
  constexpr std::size_t kChunk = std::size_t{1} << 20U;
  std::string text;
  while (in && text.size() <= most_bytes) {
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    in.read(text.data() + before, static_cast<std::streamsize>(kChunk));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
    const std::size_t binary = text.find('\0', before);
    if (binary == std::string::npos) continue;
    const auto line = std::ranges::count(std::string_view(text).substr(0, binary), '\n') + 1;
    return Invalid(name + ": line " + std::to_string(line) + ": binary data (no UTF-8 text)");
  }
  if (in.bad()) return Invalid(name + ": cannot be read");
  if (text.size() > most_bytes)
    return Invalid(name + ": larger than " + std::to_string(most_bytes >> 20U) + " MB");
  return text;
}

std::string NameOf(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

Result<std::string> ReadText(const std::string& path, std::size_t most_bytes) {
  if (path == "-") return ReadAll(std::cin, NameOf(path), most_bytes);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Invalid(path + ": is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) return Invalid(path + ": cannot be read");
  return ReadAll(in, path, most_bytes);
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

namespace {

// Whether there was an object, or a list of them, in the file.
Result<bool> AddFile(const std::string& file, ManifestDecoder& decoder) {
  Result<std::string> text = ReadText(file);
  if (!text) return std::unexpected(text.error());
  const std::string name = NameOf(file);
  Result<std::vector<boost::json::value>> documents = ParseDocuments(*text, name);
  if (!documents) return std::unexpected(documents.error());
  bool any = false;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    any = any || !(*documents)[i].is_null();
    decoder.Add(std::move((*documents)[i]), name + ": document " + std::to_string(i + 1));
  }
  return any;
}

}  // namespace

Result<Loaded> LoadManifests(const std::vector<std::string>& paths, const LoadOptions& options) {
  ManifestDecoder decoder(options);
  std::vector<std::string> empty;
  for (const std::string& path : paths) {
    Result<std::vector<std::string>> files = ListFiles(path, true);
    if (!files) return std::unexpected(files.error());
    bool any = false;
    for (const std::string& file : *files) {
      const Result<bool> added = AddFile(file, decoder);
      if (!added) return std::unexpected(added.error());
      any = any || *added;
      if (!*added) empty.push_back(NameOf(file) + ": holds no object");
    }
    if (!any) return Invalid(NameOf(path) + ": holds no object");
  }
  Loaded loaded = decoder.Finish();
  loaded.warnings.insert(loaded.warnings.begin(), empty.begin(), empty.end());
  return loaded;
}

}  // namespace batholith
