#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/node_scope.h"
#include "api/result.h"
#include "codec/session_memory.h"

namespace batholith {

inline constexpr std::int64_t kDumpVersion = 1;

// All that one session decided on, and what it decided. A dump file has one JSON object a line:
//   {"version": 1, "cycle": 1, "now": "2026-01-01T00:00:00Z", "conf": "actions: …",
//    "options": {"schedulerNames": ["volcano"], "defaultQueue": "default", "figuresOnly": false},
//    "memory": {…}, "objects": {"apiVersion": "v1", "kind": "List", "items": […]},
//    "decisions": {…}}
// Options that say which nodes are used are there only where they say so: nodeSelectors, sharding,
// shard; holdDeviceClaims is there where it is true. `memory` is left out where there is none.
// `items` are manifests as codec/encode.h writes them, of each kind in the order of the records.
struct SessionDump {
  int cycle = 1;
  TimeNs now = 0;
  std::string conf;  // the text of the scheduler conf
  std::vector<std::string> scheduler_names;
  std::string default_queue;
  NodeScope node_scope;
  bool figures_only = false;        // no action of the conf ran
  bool hold_device_claims = false;  // pods with claims for devices waited
  std::shared_ptr<const ClusterObjects> objects;
  SessionMemory memory;          // what the session started from
  boost::json::value decisions;  // null: not recorded
};

// Appends one line, as codec/dump_text.h makes it. REQUIRES: objects. Errors: those of the stream.
// Cost: O(objects).
void WriteDump(const SessionDump& dump, std::ostream& out);

// Reads a dump line by line, so that no more than one session is in memory. The records are taken
// as they are written: nothing is resolved, made or given a default a second time.
class DumpReader {
 public:
  // `name` stands in messages. Does not own the stream.
  DumpReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  // The next session; none at the end. Fractions in `decisions` are texts, as ParseJson reads them.
  // Errors name line and field: no JSON, another version, a field that is missing or wrong, an
  // object that cannot be read, a kind that is not dumped, a line larger than 512 MB.
  Result<std::optional<SessionDump>> Next();
  std::size_t line() const { return line_; }          // of the last session
  std::size_t sessions() const { return sessions_; }  // that were read

 private:
  Result<bool> ReadLine();  // into text_; false at the end

  std::istream& in_;
  std::string name_;
  std::string text_;
  std::size_t line_ = 0;
  std::size_t sessions_ = 0;
};

}  // namespace batholith
