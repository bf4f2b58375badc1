#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/result.h"

namespace batholith {

struct LoadOptions {
  std::vector<std::string> scheduler_names{"volcano"};
  std::string default_queue = "default";
  TimeNs now = 0;
};

struct Loaded {
  ClusterObjects objects;
  std::vector<std::string>
      refused;  // one line for each bad object: where: KIND ns/name: field: reason
  std::vector<std::string> warnings;
};

// A file, a folder (every *.yaml, *.yml and *.json below it, sorted), or "-" for standard input. A
// broken file is an error that names it; nothing of it is loaded. Cost: O(input).
Result<Loaded> LoadManifests(const std::vector<std::string>& paths, const LoadOptions& options);

// The text of a file or of standard input ("-").
Result<std::string> ReadText(const std::string& path);
// The files that a path stands for.
Result<std::vector<std::string>> ListFiles(const std::string& path, bool json);

}  // namespace batholith
