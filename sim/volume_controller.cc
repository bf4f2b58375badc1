#include "sim/volume_controller.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/label_match.h"
#include "api/node_match.h"

namespace batholith {
namespace {

void Join(PersistentVolumeRecord& volume, PersistentVolumeClaimRecord& claim) {
  volume.claim = {claim.meta.namespace_, claim.meta.name, claim.meta.uid};
  volume.phase = VolumePhase::kBound;
  volume.meta.annotations.Edit()[std::string(kBoundByController)] = "yes";
  claim.volume = volume.meta.name;
  claim.phase = ClaimPhase::kBound;
  claim.meta.annotations.Edit()[std::string(kBindCompleted)] = "yes";
}

// The topologies of the class in which the node is; absent: everywhere.
std::optional<std::vector<NodeSelectorTerm>> AffinityOf(const StorageClassRecord& storage,
                                                        const NodeRecord& node) {
  if (storage.allowed_topologies.empty()) return std::nullopt;
  std::vector<NodeSelectorTerm> out;
  for (const std::vector<Requirement>& topology : storage.allowed_topologies) {
    NodeSelectorTerm term{topology, {}};
    if (MatchesTerm(term, node)) out.push_back(std::move(term));
  }
  return out;
}

// The first capacity that is large enough, in order of names.
void TakeRoom(const PersistentVolumeClaimRecord& claim, const NodeRecord& node,
              ClusterObjects& objects) {
  CsiStorageCapacityRecord* from = nullptr;
  for (CsiStorageCapacityRecord& pool : objects.storage_capacities) {
    if (!claim.storage_class || pool.storage_class != *claim.storage_class) continue;
    if (!MatchesSelector(pool.nodes, node.meta.labels)) continue;
    if (pool.maximum_volume.value_or(pool.capacity.value_or(0)) < claim.request) continue;
    if (from == nullptr || pool.meta.Key() < from->meta.Key()) from = &pool;
  }
  if (from == nullptr || !from->capacity) return;
  *from->capacity = std::max<std::int64_t>(*from->capacity - claim.request, 0);
  if (from->maximum_volume) from->maximum_volume = std::min(*from->maximum_volume, *from->capacity);
}

template <typename Record>
void IndexTo(const std::vector<Record>& records,
             std::unordered_map<std::string, std::size_t>& out) {
  for (std::size_t i = 0; i < records.size(); ++i) out.emplace(records[i].meta.Key(), i);
}

}  // namespace

void VolumeController::Index() {
  if (std::exchange(indexed_, true)) return;
  IndexTo(objects_.volume_claims, claims_);
  IndexTo(objects_.volumes, volumes_);
  IndexTo(objects_.nodes, nodes_);
}

PersistentVolumeRecord VolumeController::Provision(const PersistentVolumeClaimRecord& claim,
                                                   const NodeRecord& node) {
  PersistentVolumeRecord out;
  out.meta.name = "pvc-" + claim.meta.namespace_ + "-" + claim.meta.name;
  while (volumes_.contains(out.meta.name)) out.meta.name += "-2";
  out.meta.uid = out.meta.name;
  out.storage_class = claim.storage_class.value_or("");
  out.attributes_class = claim.attributes_class;
  out.capacity = claim.request;
  out.access_modes = claim.access_modes;
  out.mode = claim.mode;
  out.csi_handle = out.meta.name;
  const auto storage = std::ranges::find_if(
      objects_.storage_classes,
      [&](const StorageClassRecord& s) { return s.meta.name == out.storage_class; });
  if (storage != objects_.storage_classes.end()) {
    out.csi_driver = storage->provisioner;
    out.node_affinity = AffinityOf(*storage, node);
  }
  TakeRoom(claim, node, objects_);
  return out;
}

void VolumeController::OnBound(const Bind& bind) {
  if (bind.volumes.empty()) return;
  Index();
  const auto node = nodes_.find(bind.node);
  if (node == nodes_.end()) return;
  for (const VolumeChoice& choice : bind.volumes) {
    const auto found = claims_.find(choice.claim);
    if (found == claims_.end()) continue;
    PersistentVolumeClaimRecord& claim = objects_.volume_claims[found->second];
    if (claim.bound()) continue;  // another pod of the session shares it
    if (choice.volume.empty()) {
      claim.meta.annotations.Edit()[std::string(kSelectedNode)] = bind.node;
      objects_.volumes.push_back(Provision(claim, objects_.nodes[node->second]));
      volumes_.emplace(objects_.volumes.back().meta.name, objects_.volumes.size() - 1);
      Join(objects_.volumes.back(), claim);
    } else if (const auto volume = volumes_.find(choice.volume); volume != volumes_.end()) {
      Join(objects_.volumes[volume->second], claim);
    }
  }
}

}  // namespace batholith
