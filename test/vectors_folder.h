#pragma once

#include <cstdlib>
#include <filesystem>

#include "test/source_dir.h"

namespace batholith {

// Where the conformance vectors lie: beside the project, or in $BATHOLITH_SHARED. Tests of vectors
// are skipped where the folder is not there.
inline std::filesystem::path VectorsFolder() {
  const char* shared = std::getenv("BATHOLITH_SHARED");
  const std::filesystem::path root = SourceDir();
  return (shared == nullptr ? root.parent_path() / "shared" : std::filesystem::path(shared)) /
         "vectors";
}

}  // namespace batholith
