#pragma once

#include <string>

namespace batholith {

// What this build is.
struct BuildFacts {
  std::string version;     // 0.1.0
  std::string commit;      // of the source, short; empty: nobody knows
  std::string build_type;  // Release
  std::string compiler;    // GNU 12.2.0
  std::string platform;    // Linux x86_64
};
const BuildFacts& OwnBuild();

// What --version prints.
std::string VersionText();

}  // namespace batholith
