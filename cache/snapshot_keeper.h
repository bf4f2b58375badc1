#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "cache/changed_places.h"
#include "cache/snapshot_builder.h"

namespace batholith {

// Whether a snapshot is built from records of the kind, beyond a look at them in the session.
template <typename Record>
inline constexpr bool kMakesFacts =
    !std::is_same_v<Record, PodDisruptionBudgetRecord> &&
    !std::is_same_v<Record, ElasticQuotaProfileRecord> && !std::is_same_v<Record, MachineRecord> &&
    !std::is_same_v<Record, StorageClassRecord> &&
    !std::is_same_v<Record, PersistentVolumeRecord> &&
    !std::is_same_v<Record, PersistentVolumeClaimRecord> &&
    !std::is_same_v<Record, CsiNodeRecord> && !std::is_same_v<Record, CsiDriverRecord> &&
    !std::is_same_v<Record, CsiStorageCapacityRecord> &&
    !std::is_same_v<Record, VolumeAttachmentRecord> && !std::is_same_v<Record, DeviceClassRecord> &&
    !std::is_same_v<Record, ResourceSliceRecord> &&
    !std::is_same_v<Record, ResourceClaimTemplateRecord> &&
    !std::is_same_v<Record, ResourceClaimRecord> && !std::is_same_v<Record, HyperNodeRecord>;

// Keeps the snapshot of a cluster from one session to the next, and brings it to what the objects
// say then. What it gives is what BuildSnapshot would, but for the numbers of base classes. It can
// be dropped at any moment: the next one is built anew. REQUIRES: it is told of every change of the
// objects.
class SnapshotKeeper {
 public:
  // A record came to the end of its list.
  template <typename Record>
  void OnAdded() {
    if constexpr (kIsFollowed<Record>) {
      Places<Record>().Add();
    } else {
      others_ = others_ || kMakesFacts<Record>;
    }
  }

  // It says something else now. `same_object`: as before it has the name, the uid and the time.
  template <typename Record>
  void OnChanged(std::size_t place, bool same_object = true) {
    if constexpr (kIsFollowed<Record>) {
      if (same_object) {
        Places<Record>().Change(place);
      } else {
        Places<Record>().Replace(place);
      }
    } else {
      others_ = others_ || kMakesFacts<Record>;
    }
  }

  // It is the same node, and offers some of the same resources as before.
  void OnNodeChanged(std::size_t place) { nodes_.push_back(static_cast<std::uint32_t>(place)); }

  // It went, and the last of its list took its place.
  template <typename Record>
  void OnRemoved(std::size_t place) {
    if constexpr (kIsFollowed<Record>) {
      Places<Record>().Remove(place);
    } else {
      others_ = others_ || kMakesFacts<Record>;
    }
  }

  // The objects as a snapshot. Cost: where only pods, Volcano's groups and what nodes say have
  // changed that of SnapshotUpdate, else that of BuildSnapshot.
  std::shared_ptr<const Snapshot> Take(
      const std::shared_ptr<const ClusterObjects>& objects, const SnapshotOptions& options,
      const std::unordered_map<std::string, std::size_t>& group_places);

  // The next snapshot is built anew.
  void Drop() { snapshot_.reset(); }

  // How often which of the two was done.
  struct Counts {
    std::uint64_t built = 0;
    std::uint64_t followed = 0;
    bool last_was_built = false;
  };
  const Counts& counts() const { return counts_; }

 private:
  template <typename Record>
  static constexpr bool kIsFollowed =
      std::is_same_v<Record, PodRecord> || std::is_same_v<Record, PodGroupRecord>;

  template <typename Record>
  ChangedPlaces& Places() {
    if constexpr (std::is_same_v<Record, PodRecord>) {
      return pods_;
    } else {
      return groups_;
    }
  }

  bool Follow(const SnapshotOptions& options,
              const std::unordered_map<std::string, std::size_t>& group_places);
  void Build(const std::shared_ptr<const ClusterObjects>& objects, const SnapshotOptions& options);
  bool CanBeFollowed() const;

  std::shared_ptr<Snapshot> snapshot_;
  std::unique_ptr<SnapshotTables> tables_;
  ChangedPlaces pods_;
  ChangedPlaces groups_;
  std::vector<std::uint32_t> nodes_;  // places of those that have changed; may name one twice
  bool others_ = false;               // objects of other kinds have changed
  bool regular_ = false;              // each group is one job, and nothing else is
  std::size_t classes_ = 0;           // when it was built
  std::size_t amounts_ = 0;           // likewise
  Counts counts_;
  const PodRecord* first_pod_ = nullptr;
  const PodGroupRecord* first_group_ = nullptr;
};

}  // namespace batholith
