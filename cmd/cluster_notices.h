#pragma once

#include <functional>
#include <set>
#include <string>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "framework/pipeline.h"

namespace batholith {

// Tells in the log what is wrong with the objects of a live cluster, and what of it cannot work
// under the conf: each sentence once.
class ClusterNotices {
 public:
  // Of a session. `changed`: quotas or the conf, since the session before. `on_hint` (may be empty)
  // is told what cannot work.
  void Tell(const ClusterObjects& objects, const Pipeline& pipeline, const CycleResult& report,
            bool changed, const std::function<void(const std::string&)>& on_hint);

 private:
  // Whether it was told for the first time.
  bool Tell(const std::string& sentence);

  std::set<std::string> told_;
};

}  // namespace batholith
