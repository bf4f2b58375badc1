#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The volumes of a pod that decide where it may run.
namespace batholith {

// A volume that is claimed: by a claim's name, or by a claim that is made for the pod.
struct PodClaim {
  std::string name;  // of the claim; ephemeral: of the volume, and the claim is POD-NAME
  bool ephemeral = false;
  // Ephemeral: what the claim is made from, as a PersistentVolumeClaim in JSON; empty: not told.
  std::string template_text = {};
  bool operator==(const PodClaim&) const = default;
};

// A disk that is named in the pod itself.
struct PodDisk {
  enum class Kind : std::uint8_t {
    kGcePersistentDisk,
    kAwsElasticBlockStore,
    kIscsi,
    kRbd,
    // These count as volumes of a CSI driver, and nothing else asks about them.
    kAzureDisk,
    kCinder,
    kPortworx
  };
  Kind kind = Kind::kGcePersistentDisk;
  std::string id;                     // pdName, volumeID, iqn, image, or diskURI
  std::string pool;                   // rbd only
  std::vector<std::string> monitors;  // rbd only
  bool read_only = false;
  bool operator==(const PodDisk&) const = default;
};

struct PodVolumes {
  std::vector<PodClaim> claims;  // in the order of spec.volumes
  std::vector<PodDisk> disks;    // likewise

  bool empty() const { return claims.empty() && disks.empty(); }
  bool operator==(const PodVolumes&) const = default;
};

}  // namespace batholith
