#include "test/property/random_volumes.h"

#include <utility>

#include "codec/claim_templates.h"

namespace batholith::property {
namespace {

class VolumeGenerator {
 public:
  explicit VolumeGenerator(const RandomParts& parts) : parts_(parts) {}

  void AddTo(ClusterObjects& o) {
    const auto fill = [this](auto& records, auto make) {
      for (std::int64_t n = parts_.number(0, 3); n > 0; --n) records.push_back(make());
    };
    fill(o.volumes, [this] { return Volume(); });
    fill(o.volume_claims, [this] { return Claim(); });
    fill(o.csi_nodes, [this] { return Node(); });
    fill(o.csi_drivers, [this] { return CsiDriverRecord{parts_.meta(false), Yes()}; });
    fill(o.storage_capacities, [this] { return Capacity(); });
    fill(o.volume_attachments, [this] {
      return VolumeAttachmentRecord{parts_.meta(false), Text(), Text(), Text(), Text()};
    });
    for (PodRecord& pod : o.pods) {
      if (Yes()) pod.volumes = PodsVolumes();
    }
  }

 private:
  bool Yes() { return parts_.number(0, 1) == 1; }
  std::string Text() { return parts_.text(); }
  std::int64_t Bytes() {
    return parts_.number(0, 3) == 0 ? INT64_MAX : parts_.number(0, std::int64_t{1} << 40);
  }
  AccessModes Modes() { return static_cast<AccessModes>(parts_.number(0, 15)); }
  VolumeMode Mode() { return static_cast<VolumeMode>(parts_.number(0, 1)); }

  PersistentVolumeRecord Volume() {
    PersistentVolumeRecord out;
    out.meta = parts_.meta(false);
    out.resource_version = Text();
    out.storage_class = Text();
    if (Yes()) out.meta.annotations[std::string(kOldStorageClass)] = out.storage_class;
    out.attributes_class = Text();
    out.capacity = Bytes();
    out.access_modes = Modes();
    out.mode = Mode();
    out.phase = static_cast<VolumePhase>(parts_.number(0, 4));
    if (Yes()) out.claim = VolumeClaimRef{Text(), Text(), Text()};
    if (Yes()) {
      out.node_affinity.emplace();
      for (std::int64_t n = parts_.number(0, 2); n > 0; --n)
        out.node_affinity->push_back(parts_.node_term());
    }
    out.csi_driver = Text();
    out.csi_handle = Text();
    return out;
  }

  PersistentVolumeClaimRecord Claim() {
    PersistentVolumeClaimRecord out;
    out.meta = parts_.meta(true);
    out.resource_version = Text();
    if (Yes()) out.storage_class = Text();
    if (Yes()) {
      out.storage_class = Text();
      out.meta.annotations[std::string(kOldStorageClass)] = *out.storage_class;
    }
    out.attributes_class = Text();
    out.volume = Text();
    out.request = Bytes();
    out.access_modes = Modes();
    out.mode = Mode();
    out.phase = static_cast<ClaimPhase>(parts_.number(0, 2));
    out.selector = parts_.selector();
    const bool bound = out.phase == ClaimPhase::kBound && !out.volume.empty();
    if (bound || Yes()) out.meta.annotations[std::string(kBindCompleted)] = "yes";
    if (Yes()) out.meta.annotations[std::string(kSelectedNode)] = Text();
    return out;
  }

  CsiNodeRecord Node() {
    CsiNodeRecord out{parts_.meta(false), {}};
    for (std::int64_t n = parts_.number(0, 2); n > 0; --n) {
      std::optional<std::int32_t> count;
      if (Yes()) count = static_cast<std::int32_t>(parts_.number(0, INT32_MAX));
      out.drivers.push_back({Text(), count});
    }
    return out;
  }

  CsiStorageCapacityRecord Capacity() {
    CsiStorageCapacityRecord out;
    out.meta = parts_.meta(true);
    out.storage_class = Text();
    out.nodes = parts_.selector();
    if (Yes()) out.capacity = Bytes();
    if (Yes()) out.maximum_volume = Bytes();
    return out;
  }

  PodVolumes PodsVolumes() {
    PodVolumes out;
    for (std::int64_t n = parts_.number(0, 2); n > 0; --n) {
      PodClaim claim{Text(), Yes(), {}};
      if (claim.ephemeral && Yes()) claim.template_text = TemplateTextOf(Claim());
      out.claims.push_back(std::move(claim));
    }
    for (std::int64_t n = parts_.number(0, 2); n > 0; --n) {
      PodDisk disk{static_cast<PodDisk::Kind>(parts_.number(0, 6)), Text(), {}, {}, Yes()};
      if (disk.kind == PodDisk::Kind::kRbd) {
        disk.pool = "w" + Text();
        if (Yes()) disk.monitors = {Text(), Text()};
      }
      out.disks.push_back(std::move(disk));
    }
    return out;
  }

  const RandomParts& parts_;
};

}  // namespace

void AddRandomVolumes(const RandomParts& parts, ClusterObjects& objects) {
  VolumeGenerator(parts).AddTo(objects);
}

}  // namespace batholith::property
