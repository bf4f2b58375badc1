#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"

// What volumes of pods come from: claims, volumes, and what storage drivers say of nodes.
namespace batholith {

// What the volume controller and the scheduler write onto claims and volumes.
inline constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
inline constexpr std::string_view kBoundByController = "pv.kubernetes.io/bound-by-controller";
inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
inline constexpr std::string_view kOldStorageClass = "volume.beta.kubernetes.io/storage-class";
inline constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";

enum class AccessMode : std::uint8_t {
  kReadWriteOnce,
  kReadOnlyMany,
  kReadWriteMany,
  kReadWriteOncePod
};
// A bit for each mode.
using AccessModes = std::uint8_t;
constexpr AccessModes BitOf(AccessMode mode) {
  return static_cast<AccessModes>(1U << static_cast<unsigned>(mode));
}

enum class VolumeMode : std::uint8_t { kFilesystem, kBlock };
enum class VolumePhase : std::uint8_t { kPending, kAvailable, kBound, kReleased, kFailed };
enum class ClaimPhase : std::uint8_t { kPending, kBound, kLost };

// The claim that a volume is kept for.
struct VolumeClaimRef {
  std::string namespace_;
  std::string name;
  std::string uid;  // empty: whichever has the name

  std::string Key() const { return namespace_ + "/" + name; }
  bool operator==(const VolumeClaimRef&) const = default;
};

struct PersistentVolumeRecord {
  ObjectMeta meta;
  std::string resource_version;
  std::string storage_class;  // the annotation's, else spec.storageClassName
  std::string attributes_class;
  std::int64_t capacity = 0;  // of `storage`, bytes
  AccessModes access_modes = 0;
  VolumeMode mode = VolumeMode::kFilesystem;
  VolumePhase phase = VolumePhase::kPending;
  std::optional<VolumeClaimRef> claim;
  // Any must match; absent: every node. An empty list matches none.
  std::optional<std::vector<NodeSelectorTerm>> node_affinity;
  std::string csi_driver;  // empty: not of a CSI driver
  std::string csi_handle;
  bool operator==(const PersistentVolumeRecord&) const = default;
};

struct PersistentVolumeClaimRecord {
  ObjectMeta meta;
  std::string resource_version;
  std::optional<std::string> storage_class;  // the annotation's, else spec.storageClassName
  std::string attributes_class;
  std::string volume;        // spec.volumeName
  std::int64_t request = 0;  // of `storage`, bytes
  AccessModes access_modes = 0;
  VolumeMode mode = VolumeMode::kFilesystem;
  ClaimPhase phase = ClaimPhase::kPending;
  std::optional<LabelSelector> selector;

  // Its volume is there, and the volume controller has written so.
  bool bound() const { return !volume.empty() && meta.annotations->contains(kBindCompleted); }
  // The node on which a volume is being made for it; nullptr: none.
  const std::string* selected_node() const {
    const auto it = meta.annotations->find(kSelectedNode);
    return it == meta.annotations->end() || it->second.empty() ? nullptr : &it->second;
  }
  bool operator==(const PersistentVolumeClaimRecord&) const = default;
};

// How many volumes of a driver a node can attach.
struct CsiNodeDriver {
  std::string name;
  std::optional<std::int32_t> count;  // absent: no limit
  bool operator==(const CsiNodeDriver&) const = default;
};

struct CsiNodeRecord {  // named as its node
  ObjectMeta meta;
  std::vector<CsiNodeDriver> drivers;
  bool operator==(const CsiNodeRecord&) const = default;
};

struct CsiDriverRecord {
  ObjectMeta meta;
  bool storage_capacity = false;  // it tells how much can be provisioned where
  bool operator==(const CsiDriverRecord&) const = default;
};

struct CsiStorageCapacityRecord {
  ObjectMeta meta;
  std::string storage_class;
  std::optional<LabelSelector> nodes;          // nodeTopology; absent: none
  std::optional<std::int64_t> capacity;        // bytes
  std::optional<std::int64_t> maximum_volume;  // bytes
  bool operator==(const CsiStorageCapacityRecord&) const = default;
};

struct VolumeAttachmentRecord {
  ObjectMeta meta;
  std::string attacher;  // the CSI driver
  std::string node;
  std::string volume;  // the PersistentVolume; empty: one that stands in a pod,
  std::string handle;  // and its CSI handle
  bool operator==(const VolumeAttachmentRecord&) const = default;
};

}  // namespace batholith
