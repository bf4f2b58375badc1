#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "codec/load.h"
#include "codec/object_reader.h"
#include "codec/yaml.h"
#include "test/source_dir.h"

// Files with what real schedulers decided, and the clusters in them.
namespace batholith {

inline std::filesystem::path PlacementFolder() {
  const char* shared = std::getenv("BATHOLITH_SHARED");
  const std::filesystem::path root = SourceDir();
  return (shared == nullptr ? root.parent_path() / "shared" : std::filesystem::path(shared)) /
         "placement";
}

// Calls `visit` with each vector of the files of the kind, in a trace with its id. How many there
// were.
template <typename Visit>
int ForEachVector(std::string_view kind, Visit visit) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PlacementFolder())) {
    if (entry.path().extension() != ".yaml") continue;
    const Result<std::string> text = ReadText(entry.path().string());
    if (!text) continue;
    const auto documents = ParseDocuments(*text, entry.path().string());
    if (!documents) continue;
    for (const boost::json::value& document : *documents) {
      const boost::json::value* found = document.as_object().if_contains("kind");
      if (found == nullptr || *found != boost::json::string_view(kind)) continue;
      for (const boost::json::value& value : document.at("vectors").as_array()) {
        const boost::json::object& vector = value.as_object();
        SCOPED_TRACE(std::string(vector.at("id").as_string()));
        ++count;
        visit(vector);
      }
    }
  }
  return count;
}

// The objects of a vector, as an API server stores them.
inline ClusterObjects ObjectsOf(const boost::json::object& vector) {
  ClusterObjects out;
  ObjectReader reader({"volcano"}, "default");
  for (const boost::json::value& object : vector.at("objects").as_array()) {
    const auto read = reader.ReadObject(object);
    if (!read) {
      ADD_FAILURE() << read.error().message;
      continue;
    }
    std::visit(
        [&](const auto& record) {
          AllOf<std::remove_cvref_t<decltype(record)>>(out).push_back(record);
        },
        read->records.front());
  }
  return out;
}

}  // namespace batholith
