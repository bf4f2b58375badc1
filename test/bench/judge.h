#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/pipeline.h"

namespace batholith::bench {

// Holds results against what must be true of every session. One for a measurement; keeps no result.
class Judge {
 public:
  // `is_same`: every session starts from the same cluster, so that the exhaustive arg-max, which
  // costs nodes × pods, is compared once.
  Judge(const Pipeline& pipeline, bool is_same) : pipeline_(pipeline), is_same_(is_same) {}

  void Check(const ClusterObjects& objects, const Snapshot& snapshot, const CycleResult& result);
  void Record(std::vector<std::string> problems);

  bool has_checked() const { return has_checked_; }
  // Of the first session that was wrong.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  const Pipeline& pipeline_;
  bool is_same_;
  bool has_checked_ = false;
  bool compared_ = false;
  std::vector<std::string> problems_;
};

}  // namespace batholith::bench
