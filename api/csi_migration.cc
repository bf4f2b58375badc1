#include "api/csi_migration.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace batholith {
namespace {

constexpr std::string_view kUnknown = "UNSPECIFIED";
// Provisioners of disks that are attached as CSI volumes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kDrivers{
    {{"kubernetes.io/aws-ebs", "ebs.csi.aws.com"},
     {"kubernetes.io/azure-disk", "disk.csi.azure.com"},
     {"kubernetes.io/cinder", "cinder.csi.openstack.org"},
     {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io"},
     {"kubernetes.io/portworx-volume", "pxd.portworx.com"}}};

std::string_view ProvisionerOf(PodDisk::Kind kind) {
  switch (kind) {
    case PodDisk::Kind::kAwsElasticBlockStore:
      return "kubernetes.io/aws-ebs";
    case PodDisk::Kind::kAzureDisk:
      return "kubernetes.io/azure-disk";
    case PodDisk::Kind::kCinder:
      return "kubernetes.io/cinder";
    case PodDisk::Kind::kGcePersistentDisk:
      return "kubernetes.io/gce-pd";
    case PodDisk::Kind::kPortworx:
      return "kubernetes.io/portworx-volume";
    case PodDisk::Kind::kIscsi:
    case PodDisk::Kind::kRbd:
      break;
  }
  return {};
}

// "vol-1", or "aws://ZONE/vol-1".
std::optional<std::string> EbsHandle(const std::string& id) {
  constexpr std::string_view kScheme = "aws://";
  if (!id.starts_with(kScheme)) return id;
  const std::size_t path = id.find('/', kScheme.size());
  if (path == std::string::npos) return std::nullopt;
  std::string_view volume = std::string_view(id).substr(path);
  while (volume.starts_with('/')) volume.remove_prefix(1);
  while (volume.ends_with('/')) volume.remove_suffix(1);
  if (!volume.starts_with("vol-") || volume.find('/') != volume.npos) return std::nullopt;
  return std::string(volume);
}

std::vector<std::string_view> Split(std::string_view text, std::string_view by) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find(by);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + by.size());
  }
}

std::string_view ZonesIn(const Labels& labels) {
  for (const std::string_view key :
       {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"}) {
    const auto it = labels.find(key);
    if (it != labels.end() && !it->second.empty()) return it->second;
  }
  return {};
}

// Of a disk in one zone; of one in several zones of a region the region.
std::optional<std::string> GceHandle(const std::string& name, const Labels& labels) {
  const std::vector<std::string_view> zones = Split(ZonesIn(labels), "__");
  std::string place = "/zones/";
  if (zones.size() == 1) {
    place += zones.front().empty() ? kUnknown : zones.front();
  } else {
    const auto region_of = [](std::string_view zone) {
      return Split(zone, "-").size() == 3 ? zone.substr(0, zone.rfind('-')) : std::string_view();
    };
    const std::string_view region = region_of(zones.front());
    const bool same = std::ranges::all_of(
        zones, [&](std::string_view zone) { return region_of(zone) == region; });
    if (region.empty() || !same) return std::nullopt;
    place = "/regions/" + std::string(region);
  }
  return "projects/" + std::string(kUnknown) + place + "/disks/" + name;
}

}  // namespace

std::optional<CsiVolume> CsiVolumeOf(const PodDisk& disk, const Labels& labels) {
  const std::string_view provisioner = ProvisionerOf(disk.kind);
  if (provisioner.empty() || disk.id.empty()) return std::nullopt;
  std::optional<std::string> handle = disk.id;
  if (disk.kind == PodDisk::Kind::kAwsElasticBlockStore) handle = EbsHandle(disk.id);
  if (disk.kind == PodDisk::Kind::kGcePersistentDisk) handle = GceHandle(disk.id, labels);
  if (!handle) return std::nullopt;
  return CsiVolume{std::string(CsiDriverOf(provisioner)), std::move(*handle)};
}

std::string_view CsiDriverOf(std::string_view provisioner) {
  const auto it =
      std::ranges::find(kDrivers, provisioner, [](const auto& pair) { return pair.first; });
  return it == kDrivers.end() ? provisioner : it->second;
}

}  // namespace batholith
