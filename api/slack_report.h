#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/objects.h"
#include "api/resource_schema.h"

namespace batholith {

// How many placeholders were wanted at a time.
struct WantedCount {
  TimeNs at = 0;
  std::int64_t count = 0;
  bool operator==(const WantedCount&) const = default;
};

// Equal placeholders of one origin. Placeholder i (from 0) is called name-(i+1).
struct PlaceholderSource {
  std::string name;  // std, big, big2 …, mirror/namespace/name, buffer/namespace/name
  ResourceList size;
  std::vector<std::string> nodes;   // by placeholder; empty: it has no room
  std::string reason;               // why some have no room; empty: all have
  std::vector<WantedCount> window;  // of the stabilization window, counts falling
  bool expendable = false;          // no node is added or kept for it, and no pod stays out for it
  std::string PlaceholderName(std::size_t i) const { return name + "-" + std::to_string(i + 1); }
  bool operator==(const PlaceholderSource&) const = default;
};

// The placeholders after a session, and what became of those before. The next session starts from
// it, so placeholders keep their nodes though a session itself remembers nothing.
struct SlackReport {
  bool ran = false;                        // the session had the action
  std::vector<PlaceholderSource> sources;  // first to be placed first
  ResourceList desired, reserved, unmet;   // Σ size of all, of those with room, of those without
  std::int64_t pushed_out = 0;             // gave way to real pods
  std::int64_t node_gone = 0;              // their node may hold none any more
  std::int64_t resized = 0;                // stand where they stood with another size
  std::int64_t trimmed = 0;                // are wanted no more
  std::int64_t evaluations = 0;            // questions whether a placeholder fits a node
  bool operator==(const SlackReport&) const = default;
};

}  // namespace batholith
