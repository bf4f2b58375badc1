#pragma once

#include <chrono>
#include <span>

#include "framework/options/arguments.h"
#include "framework/pipeline.h"
#include "plugins/common/volume_index.h"
#include "volumes/pod_needs.h"

namespace batholith {

// Which rules filter nodes.
struct PredicatesOptions {
  bool node_affinity = true;
  bool ports = true;
  bool taints = true;
  bool pod_affinity = true;
  bool spread = true;
  VolumeRules volumes;
  VolumeScoring volume_scoring;
  std::chrono::seconds volume_patience{600};  // until a pod's volumes are bound

  bool ScoresVolumes() const { return volumes.binding && volume_scoring.any(); }
};

std::span<const ArgumentSpec> PredicatesArguments();
std::span<const RetiredArgument> PredicatesRetired();
// Errors: a shape that does not grow in utilization.
OptionResult<PredicatesOptions> ReadPredicatesOptions(const Arguments& arguments);

// How long the volumes of a pod are waited for before it is bound, whatever the conf has.
std::chrono::seconds VolumePatienceOf(const Pipeline& pipeline);

}  // namespace batholith
