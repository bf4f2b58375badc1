#pragma once

#include <cstdint>

#include "framework/pipeline.h"

namespace batholith {

// Whether another session would decide what the last one decided. A session is a pure function of
// the cluster, the conf and, for some plugins and actions, the clock; so where none of them has
// changed it need not be run.
class LastDecision {
 public:
  // A session of this conf saw the cluster at one version, and what it decided led to another.
  void Keep(const Pipeline& pipeline, std::uint64_t seen, std::uint64_t after) {
    stands_ = seen == after && !pipeline.ReadsClock();
    version_ = after;
  }
  // The conf has changed, or nobody knows what the session did.
  void Forget() { stands_ = false; }
  bool StandsAt(std::uint64_t version) const { return stands_ && version == version_; }

 private:
  bool stands_ = false;
  std::uint64_t version_ = 0;
};

}  // namespace batholith
