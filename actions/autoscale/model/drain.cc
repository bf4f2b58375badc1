#include "actions/autoscale/model/drain.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

using Kind = DrainVerdict::Kind;

DrainVerdict Blocked(KeepReason reason) { return {Kind::kBlocked, reason}; }

bool MakesPodsAgain(const PodDrainFacts& pod) {
  if (pod.gang) return !pod.owner_kind.empty();
  return pod.owner_kind == "ReplicationController" || pod.owner_kind == "Job" ||
         pod.owner_kind == "ReplicaSet" || pod.owner_kind == "StatefulSet";
}

bool GangBreaks(const GangFacts& gang) {
  return !gang.restartable && gang.running - 1 < gang.min_available;
}

bool IsListed(std::string_view name, std::string_view names) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    std::string_view one = names.substr(0, comma);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    if (one == name) return true;
    names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
  }
  return false;
}

bool KeepsLocalData(const PodDrainFacts& pod) {
  return std::ranges::any_of(pod.volumes, [&](const PodVolumeFacts& volume) {
    const bool local = volume.kind == PodVolumeFacts::Kind::kEmptyDir ||
                       volume.kind == PodVolumeFacts::Kind::kHostPath;
    return local && !IsListed(volume.name, pod.safe_local_volumes);
  });
}

}  // namespace

DrainVerdict JudgeDrain(const PodDrainFacts& pod, const ScaleDownConf& conf) {
  if (pod.mirror || pod.long_terminating) return {Kind::kSkipped, KeepReason::kNone};
  if (pod.gang && !pod.finished) {
    if (GangBreaks(*pod.gang)) return Blocked(KeepReason::kGangWouldBreak);
  } else if (pod.owner_missing) {
    return Blocked(KeepReason::kControllerNotFound);
  }
  if (pod.owner_kind == "DaemonSet") return {};
  if (pod.safe_to_evict == "true") return {};
  if (pod.finished) return {};
  if (pod.safe_to_evict == "on-completion") return {Kind::kWaits, KeepReason::kWaitsForCompletion};
  if (!MakesPodsAgain(pod)) return Blocked(KeepReason::kNotReplicated);
  // After the hold the other rules still decide: an annotation that forbids it keeps its word.
  if (pod.namespace_ == "kube-system" && pod.pdbs.empty() && pod.age < conf.system_pod_hold) {
    return Blocked(KeepReason::kUnmovableKubeSystemPod);
  }
  if (pod.safe_to_evict == "false") return Blocked(KeepReason::kNotSafeToEvictAnnotation);
  if (KeepsLocalData(pod)) return Blocked(KeepReason::kLocalStorageRequested);
  if (std::ranges::any_of(pod.pdbs, [](const PdbFacts& pdb) { return pdb.allowed < 1; })) {
    return Blocked(KeepReason::kNotEnoughPdb);
  }
  return {};
}

}  // namespace batholith
