#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actions/autoscale/model/conf.h"
#include "actions/autoscale/model/reason.h"

namespace batholith {

struct PodVolumeFacts {
  std::string name;
  enum class Kind : std::uint8_t { kEmptyDir, kEmptyDirInMemory, kHostPath, kOther };
  Kind kind = Kind::kOther;
};

struct PdbFacts {
  std::string name;  // namespace/name
  std::int64_t allowed = 0;
};

// A pod group with more than one member, or with one that must not be lost.
struct GangFacts {
  std::string name;  // namespace/name
  std::int64_t running = 0;
  std::int64_t min_available = 0;
  bool restartable = false;  // its owner may be started anew: it may break
};

// What decides whether a pod may be moved away.
struct PodDrainFacts {
  std::string owner_kind;      // of the controller; empty: nobody makes the pod again
  bool owner_missing = false;  // it was looked up and is not there
  bool mirror = false;
  bool long_terminating = false;  // longer than its grace period and 30 s
  bool finished = false;
  std::string namespace_;
  TimeNs age = 0;
  std::string safe_to_evict;       // the annotation's value
  std::string safe_local_volumes;  // the annotation's value: names, comma between them
  std::vector<PodVolumeFacts> volumes;
  std::vector<PdbFacts> pdbs;
  std::optional<GangFacts> gang;
};

struct DrainVerdict {
  enum class Kind : std::uint8_t { kSkipped, kDrainable, kWaits, kBlocked };
  Kind kind = Kind::kDrainable;
  KeepReason reason = KeepReason::kNone;
  bool operator==(const DrainVerdict&) const = default;
};

// The first rule of the reference (3.5) that decides; the gang rule stands in place of the lookup
// of the controller for pods of a gang.
DrainVerdict JudgeDrain(const PodDrainFacts& pod, const ScaleDownConf& conf);

}  // namespace batholith
