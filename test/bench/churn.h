#pragma once

#include <memory>

#include "api/effect.h"
#include "test/bench/cluster_maker.h"

namespace batholith::bench {

// A cluster between sessions: what was placed runs, new pods come, the oldest running ones go, so
// that its size stays about the same. The easy mistake: every wave copies all objects, so it stays
// off the clock.
class Churn {
 public:
  Churn(ClusterMaker maker, const Sizes& sizes, bool oldest_go)
      : maker_(std::move(maker)), sizes_(sizes), oldest_go_(oldest_go) {}

  std::shared_ptr<const ClusterObjects> NextWave();
  void Apply(const CycleResult& result);

 private:
  void DropOldest();

  ClusterMaker maker_;
  Sizes sizes_;
  bool oldest_go_;
  std::size_t wave_ = 0;
};

}  // namespace batholith::bench
