#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/objects.h"

// Disks that Kubernetes once attached itself and CSI drivers attach now: as which volumes of which
// drivers they count.
namespace batholith {

struct CsiVolume {
  std::string driver;
  std::string handle;
  bool operator==(const CsiVolume&) const = default;
};

// `labels`: of the PersistentVolume that has the disk; those of a zonal disk name its zone.
// Nothing: no driver attaches it, or its id is none. Source: csi-translation-lib of
// Kubernetes 1.36.
std::optional<CsiVolume> CsiVolumeOf(const PodDisk& disk, const Labels& labels = {});

// The driver that makes volumes for a provisioner of a StorageClass: mostly itself.
std::string_view CsiDriverOf(std::string_view provisioner);

}  // namespace batholith
