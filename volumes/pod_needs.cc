#include "volumes/pod_needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "volumes/holds.h"

namespace batholith {
namespace {

constexpr std::array<std::string_view, 4> kZoneLabels{
    "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone", "topology.kubernetes.io/region"};

// Values joined by "__"; nothing where one of them is empty.
std::vector<std::string> ZonesIn(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = text.find("__");
    std::string_view value = text.substr(0, end);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    if (value.empty()) return {};
    out.emplace_back(value);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 2);
  }
}

class Resolver {
 public:
  Resolver(VolumeFacts& facts, const VolumeRules& rules, const PodRecord& pod)
      : facts_(facts), rules_(rules), pod_(pod) {
    for (const PodClaim& volume : pod.volumes->claims)
      volumes_.push_back({&volume, ClaimOf(facts, pod, volume)});
  }

  PodNeeds Resolve() {
    if (!pod_.volumes->disks.empty()) out_.disks = &pod_.volumes->disks;
    if (rules_.restrictions) FindMissing();
    if (rules_.binding) ReadBinding();
    if (rules_.zones) ReadZones();
    if (out_.refusal != ClaimRefusal::kNone) return std::move(out_);
    for (const Volume& v : volumes_) {
      if (v.claim == kNoId || Holds(out_.claims, v.claim)) continue;
      out_.claims.push_back(v.claim);
      const bool exclusive =
          (facts_.claim(v.claim).access_modes & BitOf(AccessMode::kReadWriteOncePod)) != 0;
      if (rules_.restrictions && exclusive && !v.volume->ephemeral)
        out_.exclusive.push_back(v.claim);
    }
    return std::move(out_);
  }

 private:
  struct Volume {
    const PodClaim* volume = nullptr;
    ClaimId claim = kNoId;
  };

  // The first refusal counts.
  void Refuse(ClaimRefusal refusal, std::string text) {
    if (out_.refusal != ClaimRefusal::kNone) return;
    out_.refusal = refusal;
    out_.text = std::move(text);
  }
  bool refused() const { return out_.refusal != ClaimRefusal::kNone; }

  void FindMissing() {
    for (const Volume& v : volumes_) {
      if (v.claim == kNoId && !v.volume->ephemeral) return RefuseMissing(v);
    }
  }

  void RefuseMissing(const Volume& v) {
    if (v.volume->ephemeral) {
      return Refuse(ClaimRefusal::kEphemeralClaimMissing,
                    fmt::format("waiting for ephemeral volume controller to create the "
                                "persistentvolumeclaim \"{}-{}\"",
                                pod_.meta.name, v.volume->name));
    }
    Refuse(ClaimRefusal::kClaimMissing,
           fmt::format("persistentvolumeclaim \"{}\" not found", v.volume->name));
  }

  void ReadBinding() {
    for (const Volume& v : volumes_) {
      if (refused()) return;
      CheckThere(v);
    }
    bool immediate = false;
    for (const Volume& v : volumes_) {
      if (!refused()) immediate = !Sort(v.claim) || immediate;
    }
    if (immediate)
      Refuse(ClaimRefusal::kUnboundImmediate, "pod has unbound immediate PersistentVolumeClaims");
  }

  void CheckThere(const Volume& v) {
    if (v.claim == kNoId) return RefuseMissing(v);
    const PersistentVolumeClaimRecord& claim = facts_.claim(v.claim);
    if (claim.phase == ClaimPhase::kLost) {
      return Refuse(
          ClaimRefusal::kClaimLost,
          fmt::format("persistentvolumeclaim \"{}\" bound to non-existent persistentvolume \"{}\"",
                      claim.meta.name, claim.volume));
    }
    if (claim.meta.deleting) {
      return Refuse(ClaimRefusal::kClaimDeleting,
                    fmt::format("persistentvolumeclaim \"{}\" is being deleted", claim.meta.name));
    }
    if (v.volume->ephemeral && claim.meta.owner->uid != pod_.meta.uid) {
      Refuse(ClaimRefusal::kNotOwned,
             fmt::format("PVC {} was not created for pod {} (pod is not owner)", claim.meta.Key(),
                         pod_.meta.Key()));
    }
  }

  // False: it is bound at once, by others, and is not yet. What could not be read matters only of a
  // claim for which a volume is to be found.
  bool Sort(ClaimId id) {
    const PersistentVolumeClaimRecord& claim = facts_.claim(id);
    if (claim.bound()) {
      const VolumeId volume = facts_.FindVolume(claim.volume);
      if (volume == kNoId) {
        out_.bound_to_nothing = true;
      } else if (!out_.bound_to_nothing && !Holds(out_.bound, volume)) {
        facts_.NodesOf(volume);  // worked out before several threads ask
        out_.bound.push_back(volume);
      }
      return true;
    }
    const StorageFacts* storage = facts_.StorageOf(claim);
    if (storage == nullptr || !storage->record->waits_for_pod || !claim.volume.empty())
      return false;
    if (Holds(out_.delayed, id, &DelayedClaim::id)) return true;
    if (!claim.meta.flaw.empty()) {
      Refuse(ClaimRefusal::kClaimUnread,
             fmt::format("persistentvolumeclaim \"{}\" could not be read: {}", claim.meta.name,
                         claim.meta.flaw));
      return true;
    }
    DelayedClaim delayed{id, &facts_.ShapeOf(claim), facts_.KeptFor(id)};
    if (delayed.kept != kNoId) facts_.NodesOf(delayed.kept);
    const auto node = claim.meta.annotations->find(kSelectedNode);
    if (node != claim.meta.annotations->end()) {  // also where it names nothing
      delayed.selected = true;
      delayed.selected_on = facts_.nodes().Find(node->second);
    }
    out_.delayed.push_back(delayed);
    return true;
  }

  void ReadZones() {
    for (const Volume& v : volumes_) {
      if (refused()) return;
      if (v.volume->ephemeral) continue;
      if (v.claim == kNoId) return RefuseMissing(v);
      const PersistentVolumeClaimRecord& claim = facts_.claim(v.claim);
      if (claim.volume.empty()) {
        CheckUnboundZone(claim);
        continue;
      }
      const VolumeId volume = facts_.FindVolume(claim.volume);
      if (volume == kNoId) {
        Refuse(ClaimRefusal::kVolumeMissing,
               fmt::format("persistentvolume \"{}\" not found", claim.volume));
      } else {
        AddZones(facts_.volume(volume));
      }
    }
  }

  void CheckUnboundZone(const PersistentVolumeClaimRecord& claim) {
    if (!claim.storage_class || claim.storage_class->empty()) {
      return Refuse(ClaimRefusal::kClaimWithoutClass,
                    fmt::format("persistentvolumeclaim \"{}\" has neither volume nor class",
                                claim.meta.name));
    }
    const StorageFacts* storage = facts_.StorageOf(claim);
    if (storage == nullptr) {
      Refuse(ClaimRefusal::kClassMissing,
             fmt::format("storageclass \"{}\" not found", *claim.storage_class));
    } else if (!storage->record->waits_for_pod) {
      Refuse(ClaimRefusal::kClaimWithoutVolume,
             fmt::format("persistentvolumeclaim \"{}\" has no volume yet", claim.meta.name));
    }
  }

  void AddZones(const PersistentVolumeRecord& volume) {
    for (const std::string_view key : kZoneLabels) {
      const auto it = volume.meta.labels->find(key);
      if (it == volume.meta.labels->end()) continue;
      std::vector<std::string> values = ZonesIn(it->second);
      if (!values.empty()) out_.zones.push_back({std::string(key), std::move(values)});
    }
  }

  VolumeFacts& facts_;
  const VolumeRules& rules_;
  const PodRecord& pod_;
  std::vector<Volume> volumes_;
  PodNeeds out_;
};

}  // namespace

ClaimId ClaimOf(const VolumeFacts& facts, const PodRecord& pod, const PodClaim& volume) {
  if (!volume.ephemeral) return facts.FindClaim(pod.meta.namespace_, volume.name);
  return facts.FindClaim(pod.meta.namespace_, pod.meta.name + "-" + volume.name);
}

PodNeeds NeedsOf(VolumeFacts& facts, const VolumeRules& rules, const PodRecord& pod) {
  return Resolver(facts, rules, pod).Resolve();
}

}  // namespace batholith
