#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/snapshot.h"

namespace batholith {

// Which nodes have the images that pods ask for. Facts only.
class ImageIndex {
 public:
  explicit ImageIndex(const Snapshot& snapshot);
  bool empty() const { return images_.empty(); }
  // 0 to 100.
  double Score(const PodConstraints& constraints, NodeIndex node) const;

 private:
  // By image name, then by node: its size × the share of nodes that have it.
  std::unordered_map<std::string, std::map<std::uint32_t, std::int64_t>> images_;  // looked up only
};

}  // namespace batholith
