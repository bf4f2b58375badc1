#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/result.h"
#include "codec/limit_range.h"
#include "codec/limits.h"
#include "codec/yaml.h"

namespace batholith {

struct Loaded;

struct LoadOptions {
  std::vector<std::string> scheduler_names{"volcano"};
  std::string default_queue = "default";
  TimeNs now = 0;
  // What was loaded before, where the objects come into a cluster that is there: its priority
  // classes, queues and LimitRanges count, and its objects are older.
  const Loaded* before = nullptr;
  std::int64_t max_made_pods = kMaxMadePods;  // of all jobs and workloads together
  bool updates = false;  // the objects are there already: workloads have their pods
  bool strict = false;   // what is not known (a field, a kind) is refused, not warned of
};

struct Loaded {
  ClusterObjects objects;
  std::vector<std::string>
      refused;  // one line for each bad object: where: KIND ns/name: field: reason
  std::vector<std::string> warnings;
  std::map<std::string, std::int64_t> left_out;  // by kind: objects that nobody reads
  LimitRanges limit_ranges;                      // those before included
  std::int64_t places = 0;  // how many objects were read, those before included
};

// A file, a folder (every *.yaml, *.yml and *.json below it, sorted), or "-" for standard input. A
// broken file is an error that names it, and so is a path under which there is no object; an empty
// file of a folder is a warning. Nothing is loaded of an error. Cost: O(input).
Result<Loaded> LoadManifests(const std::vector<std::string>& paths, const LoadOptions& options);

// The text of a file or of standard input ("-"). Errors: it cannot be read, is a folder, has a NUL,
// or is larger.
Result<std::string> ReadText(const std::string& path, std::size_t most_bytes = kMaxManifestBytes);
// The files that a path stands for.
Result<std::vector<std::string>> ListFiles(const std::string& path, bool json);

}  // namespace batholith
