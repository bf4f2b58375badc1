#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cluster_objects.h"
#include "volumes/name_table.h"
#include "volumes/node_sets.h"

namespace batholith {

using VolumeId = std::uint32_t;  // a place in ClusterObjects::volumes
using ClaimId = std::uint32_t;   // a place in ClusterObjects::volume_claims
using PoolId = std::uint32_t;    // a place in ClusterObjects::storage_capacities
inline constexpr std::uint32_t kNoId = UINT32_MAX;

// A class of storage, and what there is of it.
struct StorageFacts {
  const StorageClassRecord* record = nullptr;
  bool provisions = false;              // it has a provisioner that makes volumes
  bool counted = false;                 // whose driver tells how much room there is
  NodeSets::Id nodes = NodeSets::kAll;  // where volumes may be made
  std::vector<PoolId> pools;            // in order of their names
  std::vector<VolumeId> volumes;        // open to any claim, the smallest first, then by name
  std::unordered_map<ClaimId, VolumeId> kept;  // volumes that are kept for a claim
};

// Volumes among which an unbound claim may choose, all usable from the same nodes.
struct VolumeGroup {
  NodeSets::Id nodes = NodeSets::kAll;
  std::vector<VolumeId> volumes;  // the smallest first, then by name
  std::size_t first_open = 0;     // all before it are taken; kept by VolumeLedger
};

// The volumes that suit claims of one class, modes and selector, whatever their size.
struct VolumeChoices {
  std::vector<VolumeGroup> groups;  // by their nodes
  bool local = true;                // each volume is one node's own
  bool anywhere = true;             // each can be used from every node

  VolumeGroup* GroupOf(NodeSets::Id nodes);
};

// What an unbound claim asks for.
struct ClaimShape {
  std::uint32_t number = 0;  // tells it from others
  const StorageFacts* storage = nullptr;
  std::int64_t request = 0;
  VolumeChoices* choices = nullptr;
  bool counted = false;  // a volume that is made takes room that somebody counts
  bool local = true;     // each volume and each counted room is one node's own
  bool anywhere = true;  // each is there for every node
};

// What claims, volumes and storage drivers of a cluster say, looked up by name and worked out when
// it is first asked for. Nothing here changes within a session. Refers to the objects. One thread
// asks; what it has handed out may be read by several.
class VolumeFacts {
 public:
  VolumeFacts(const ClusterObjects& objects, std::vector<const NodeRecord*> nodes);

  NodeSets& nodes() { return nodes_; }
  const NodeSets& nodes() const { return nodes_; }
  const ClusterObjects& objects() const { return objects_; }

  ClaimId FindClaim(std::string_view namespace_, std::string_view name) const {
    return claims_by_name_.Find(namespace_, name);
  }
  const PersistentVolumeClaimRecord& claim(ClaimId id) const { return objects_.volume_claims[id]; }
  VolumeId FindVolume(std::string_view name) const { return volumes_by_name_.Find("", name); }
  const PersistentVolumeRecord& volume(VolumeId id) const { return objects_.volumes[id]; }
  // The nodes from which a volume can be used.
  NodeSets::Id NodesOf(VolumeId id);
  // The same without working it out: of a volume that was asked for before.
  NodeSets::Id KnownNodesOf(VolumeId id) const { return volume_nodes_[id]; }
  const CsiStorageCapacityRecord& pool(PoolId id) const { return objects_.storage_capacities[id]; }
  NodeSets::Id NodesOfPool(PoolId id) const { return pool_nodes_.at(id); }

  // Of the class that it names; nullptr: there is no such class. Cost: O(volumes) the first time.
  const StorageFacts* StorageOf(const PersistentVolumeClaimRecord& claim);
  // REQUIRES: StorageOf(claim) is there.
  const ClaimShape& ShapeOf(const PersistentVolumeClaimRecord& claim);
  // The volume that is kept for the claim and good enough; kNoId: none.
  VolumeId KeptFor(ClaimId claim);
  // Where the volume stands in the groups that were made.
  struct Place {
    VolumeGroup* group = nullptr;
    std::size_t at = 0;
  };
  std::span<const Place> PlacesOf(VolumeId id) const { return places_[id]; }

 private:
  void SortByClass();
  StorageFacts FactsOf(const StorageClassRecord& storage);
  VolumeChoices& ChoicesOf(const PersistentVolumeClaimRecord& claim, const StorageFacts& storage);

  const ClusterObjects& objects_;
  NodeSets nodes_;
  NameTable<PersistentVolumeClaimRecord> claims_by_name_;
  NameTable<PersistentVolumeRecord> volumes_by_name_;
  std::vector<NodeSets::Id> volume_nodes_;  // by VolumeId; kNoId: not asked for yet
  std::unordered_map<PoolId, NodeSets::Id> pool_nodes_;
  bool sorted_ = false;
  std::unordered_map<std::string_view, const StorageClassRecord*> classes_;
  std::unordered_map<std::string_view, std::vector<VolumeId>> volumes_of_;
  std::unordered_map<std::string_view, std::vector<PoolId>> pools_of_;
  std::unordered_map<std::string_view, std::unique_ptr<StorageFacts>> storage_;
  std::unordered_map<std::string, std::unique_ptr<VolumeChoices>> choices_;
  std::vector<std::vector<Place>> places_;  // by VolumeId
  std::unordered_map<std::string, std::unique_ptr<ClaimShape>> shapes_;
};

}  // namespace batholith
